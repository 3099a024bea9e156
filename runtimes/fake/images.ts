import { imageNotFound, RuntimeError, timedOut } from '../errors';
import type { ImageApi } from '../runtime';
import type { FakeEngine } from './engine';

/** Every pull reports these two, so that whoever passes progress on has something to pass. */
const PULL_STEPS = [
  { currentBytes: 1_000_000, totalBytes: 2_000_000 },
  { currentBytes: 2_000_000, totalBytes: 2_000_000 },
];

export function fakeImages(engine: FakeEngine): ImageApi {
  return {
    find: (reference, options) =>
      engine.query('images.find', options?.signal, () => {
        return engine.images.get(reference) ?? [...engine.images.values()].find((image) => image.id === reference);
      }),
    pull: async (reference, options) => {
      const { transfers } = engine;
      const image = await engine.effect('images.pull', options?.signal, () => {
        const found = engine.registry.get(reference);
        if (!found) throw imageNotFound(reference, `manifest for ${reference} not found: manifest unknown`);
        for (const step of PULL_STEPS) options?.onProgress?.(step);
        if (!transfers) engine.images.set(reference, found);
        return found;
      });
      await transfers;
      if (options?.signal?.aborted) throw timedOut('images.pull', options.signal.reason);
      engine.images.set(reference, image);
    },
    load: (archivePath, options) =>
      engine.effect('images.load', options?.signal, () => {
        const archive = engine.archives.get(archivePath);
        if (!archive) throw unreadable(archivePath);
        for (const [reference, image] of Object.entries(archive)) engine.images.set(reference, image);
        return Object.keys(archive);
      }),
  };
}

function unreadable(archivePath: string): RuntimeError {
  const detail = `open ${archivePath}: no such file or directory`;
  const failure = { cause: 'ImagePullFailed', slots: { reference: archivePath, detail } } as const;
  return new RuntimeError({ code: 'InvalidSpec', failure, detail });
}
