import { volumeInUse } from '../errors';
import type { ContainerSpec, ExecApi, Runtime, VolumeApi } from '../runtime';
import { fakeContainers, runningContainer } from './containers';
import type { FakeEngine } from './engine';
import { fakeImages } from './images';

export { FakeContainer } from './container';
export { FakeEngine, type ExecAnswer, type ExecScript, type FakeEngineOptions } from './engine';
export type { Effect, Query } from './faults';

/** A way to speak to the engine; it holds nothing, so a new one finds everything again. */
export function fakeRuntime(engine: FakeEngine): Runtime {
  return {
    kind: 'Fake',
    endpoint: engine.probe.endpoint,
    containers: fakeContainers(engine),
    images: fakeImages(engine),
    execs: fakeExecs(engine),
    volumes: fakeVolumes(engine),
    probe: (options) => engine.query('probe', options?.signal, () => engine.probe),
    changes: (labels, signal) => engine.query('changes', signal, () => engine.subscribe(labels, signal)),
  };
}

function fakeExecs(engine: FakeEngine): ExecApi {
  return {
    run: async (id, request, options) => {
      const answer = await engine.effect('execs.run', options?.signal, () => {
        const container = runningContainer(engine, id);
        return container.answers ? engine.run(container, request) : undefined;
      });
      return answer ?? engine.hang('execs.run', options?.signal);
    },
    start: (id, request, options) =>
      engine.effect('execs.start', options?.signal, () => {
        runningContainer(engine, id).spawn(request);
      }),
  };
}

function fakeVolumes(engine: FakeEngine): VolumeApi {
  return {
    list: (labels, options) =>
      engine.query('volumes.list', options?.signal, () =>
        [...engine.volumes]
          .filter(([, own]) => Object.entries(labels).every(([key, value]) => own[key] === value))
          .map(([name]) => name),
      ),
    create: (name, labels, options) =>
      engine.effect('volumes.create', options?.signal, () => {
        if (!engine.volumes.has(name)) engine.volumes.set(name, labels);
      }),
    remove: (name, options) =>
      engine.effect('volumes.remove', options?.signal, () => {
        const user = [...engine.containers.values()].find((container) => usesVolume(container.spec, name));
        if (user) throw volumeInUse(name, `volume is in use - [${user.id}]`);
        engine.volumes.delete(name);
      }),
  };
}

function usesVolume(spec: ContainerSpec, name: string): boolean {
  return spec.mounts.some(({ type, source }) => type === 'volume' && source === name);
}
