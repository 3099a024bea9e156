import { request } from 'node:http';
import { systemClock } from '../../controller/clock';
import { dockerDialect } from '../../runtimes/docker/dialect';
import type { Dialect } from '../../runtimes/engine/dialect';
import { createDriver } from '../../runtimes/engine/driver';
import { podmanDialect } from '../../runtimes/podman/dialect';
import { TEST_IMAGE, type EngineHarness } from './engine';

const ENGINES = {
  docker: { dialect: dockerDialect, variable: 'BERTH_TEST_DOCKER' },
  podman: { dialect: podmanDialect, variable: 'BERTH_TEST_PODMAN' },
} satisfies Record<string, { dialect: Dialect; variable: string }>;

/** Where the engine is; undefined only where a missing one is allowed to be missing. */
export function endpointOf(engine: keyof typeof ENGINES): string | undefined {
  const { variable } = ENGINES[engine];
  const endpoint = process.env[variable];
  if (endpoint !== undefined || process.env.BERTH_TEST_ALLOW_MISSING === '1') return endpoint;
  throw new Error(`${variable} is not set: run eval "$(scripts/test-engines.sh start)"`);
}

/** The driver for a real engine, and the person whose files there should be. Podman's is the user it runs as. */
export async function openEngine(engine: keyof typeof ENGINES, endpoint: string): Promise<EngineHarness> {
  const options = { endpoint, timers: systemClock, installed: () => true };
  const runtime = createDriver(ENGINES[engine].dialect, options);
  const { identity } = await runtime.probe();
  const image = await runtime.images.find(TEST_IMAGE);
  if (!image) throw new Error(`${TEST_IMAGE} is not in ${runtime.kind}: run npm run image`);
  const uid = Number(process.env[`BERTH_TEST_PODMAN_UID`] ?? process.getuid?.() ?? 0);
  const byHand: EngineHarness['byHand'] = (id, what) => post(endpoint, `/containers/${id}/${what}`);
  return { runtime, imageId: image.id, user: { uid, gid: uid }, identity, byHand };
}

/** One request past the driver, as somebody else would make it. */
function post(endpoint: string, path: string): Promise<void> {
  const socketPath = endpoint.replace(/^unix:\/\//, '');
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path, method: 'POST', headers: { Host: 'engine' } }, (response) => {
      response.resume().on('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode < 300) resolve();
        else reject(new Error(`POST ${path}: ${statusCode}`));
      });
    });
    call.on('error', reject).end();
  });
}
