/**
 * Records what a real engine says, for the tests of everything that reads it: replies, errors and events, word for word.
 * Usage: node scripts/capture-fixtures.mjs docker|podman ENDPOINT, with the test image in the engine.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Docker from 'dockerode';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [engine, endpoint] = process.argv.slice(2);
const NAME = 'berth-fixture';
const IMAGE = 'localhost/berth/sandbox:dev';
const PORT = 38_741;
const docker = new Docker({ socketPath: endpoint.replace('unix://', '') });

/** The create request is the real one, so that fixtures show what becomes of it. */
async function loadOurs() {
  const outdir = mkdtempSync(join(tmpdir(), 'berth-capture-'));
  const lines = ['export * from "./runtimes/engine/map-spec.ts";', `export * from "./runtimes/${engine}/dialect.ts";`];
  const stdin = { contents: lines.join('\n'), resolveDir: root, loader: 'ts' };
  const outfile = join(outdir, 'ours.mjs');
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
  const ours = await import(pathToFileURL(outfile).href);
  rmSync(outdir, { recursive: true });
  return { mapSpec: ours.mapSpec, dialect: ours[`${engine}Dialect`] };
}

const get = (path) =>
  new Promise((resolve, reject) =>
    docker.modem.dial({ path, method: 'GET', statusCodes: { 200: true } }, (error, reply) =>
      error ? reject(error) : resolve(reply),
    ),
  );

const errors = {};
async function record(title, act) {
  try {
    await act();
    errors[title] = null;
  } catch ({ statusCode, message, json }) {
    errors[title] = { statusCode, message, json: json && typeof json.message === 'string' ? json : null };
  }
}

async function drain(stream) {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

const { mapSpec, dialect } = await loadOurs();
const source = engine === 'podman' ? '/usr/share' : '/usr/lib';
const image = await docker.getImage(IMAGE).inspect();
const SPEC = {
  name: NAME,
  labels: { 'dev.berth.owner': 'berth', 'dev.berth.name': 'main' },
  imageId: image.Id,
  command: ['sleep', 'infinity'],
  workdir: '/project',
  user: { uid: 2345, gid: 2345 },
  identity: engine === 'podman' ? 'KeepId' : 'UidGid',
  environment: { HOME: '/home/agent', EMPTY: '', QUOTED: 'a=b "c"' },
  mounts: [
    { role: 'workspace', type: 'bind', source: '/usr/share', target: '/project', readOnly: false },
    { role: 'share', type: 'bind', source: '/usr/lib', target: '/share', readOnly: true },
    { role: 'volume', type: 'volume', source: `${NAME}-cache`, target: '/cache', readOnly: false },
  ],
  limits: { milliCpus: 1500, memoryBytes: 268_435_456, processes: 100 },
  network: 'none',
  ports: [{ hostAddress: '127.0.0.1', hostPort: PORT, containerPort: 3000 }],
  security: { noNewPrivileges: true, privileged: false, capDrop: ['ALL'], capAdd: [] },
  restart: 'unless-stopped',
};
const PLAIN = {
  ...SPEC,
  environment: {},
  mounts: [],
  limits: {},
  ports: [],
  restart: 'no',
  security: { noNewPrivileges: false, privileged: false, capDrop: [], capAdd: [] },
};
const container = docker.getContainer(NAME);
const create = (spec, change = (body) => body) => docker.createContainer(change(mapSpec(spec, dialect)));
const remove = () => container.remove({ force: true, v: true }).catch(() => undefined);
const published = (body) => ({ ...body, HostConfig: { ...body.HostConfig, NetworkMode: 'bridge' } });

const fixtures = {};
const events = [];
const stream = await docker.getEvents({ filters: { type: ['container'] } });
stream.on('data', (chunk) => events.push(...String(chunk).trim().split('\n')));
stream.on('error', () => undefined);
try {
  await remove();
  fixtures['version'] = await docker.version();
  fixtures['info'] = await docker.info();
  if (dialect.libpod) fixtures['libpod-info'] = await get('/v4.0.0/libpod/info');
  fixtures['image'] = image;
  fixtures['spec'] = SPEC;
  fixtures['create'] = mapSpec(SPEC, dialect);

  await create(SPEC);
  fixtures['inspect-created'] = await container.inspect();
  await record('nameTaken', () => create(SPEC));
  await record('execStopped', () => container.exec({ Cmd: ['true'] }));
  await record('volumeInUse', () => docker.getVolume(`${NAME}-cache`).remove());
  await container.start();
  fixtures['inspect-running'] = await container.inspect();
  await record('startedAlready', () => container.start());
  const exec = await container.exec({ Cmd: ['true'], AttachStdout: true });
  await drain(await exec.start({ hijack: true }));
  await record('execMissing', async () => {
    const missing = await container.exec({ Cmd: ['no-such-program'] });
    await drain(await missing.start({ Detach: true }));
  });
  await container.stop({ t: 5 });
  fixtures['inspect-exited'] = await container.inspect();
  await record('stoppedAlready', () => container.stop({ t: 5 }));
  await remove();
  await docker.getVolume(`${NAME}-cache`).remove();

  await create(PLAIN);
  fixtures['inspect-plain'] = await container.inspect();
  await remove();
  for (const verb of ['start', 'stop', 'inspect', 'remove']) await record(`${verb}Absent`, () => container[verb]());
  await record('execAbsent', () => container.exec({ Cmd: ['true'] }));
  await record('volumeAbsent', () => docker.getVolume('berth-none').remove());
  await record('imageMissing', () => create({ ...PLAIN, imageId: 'localhost/berth/none:1' }));
  const missing = { ...SPEC.mounts[0], source: `${source}/berth-none` };
  await record('sourceMissing', () => create({ ...PLAIN, mounts: [missing] }));
  await remove();
  await record('storageRefused', () => create({ ...PLAIN, limits: { storageBytes: 2_147_483_648 } }));
  await remove();
  await record('memoryTooSmall', () => create({ ...PLAIN, limits: { memoryBytes: 100 } }));
  await remove();
  await record('cpusTooMany', () => create({ ...PLAIN, limits: { milliCpus: 1_000_000 } }));
  await remove();
  await record('commandMissing', async () => {
    await create(PLAIN, (body) => ({ ...body, Entrypoint: ['/no/such'] }));
    await container.start();
  });
  await remove();
  const server = createServer().listen(PORT, '127.0.0.1');
  await record('portTaken', async () => {
    await create({ ...PLAIN, ports: SPEC.ports }, published);
    await container.start();
  });
  server.close();
  await remove();
  await record('pullRefused', async () => {
    const lines = (await drain(await docker.pull('127.0.0.1:1/berth/none:1'))).trim().split('\n');
    throw { message: lines.at(-1) };
  });
  fixtures['errors'] = errors;
} finally {
  await remove();
  // The last events are on their way still.
  await delay(500);
  stream.destroy();
}
fixtures['events'] = events.map((line) => JSON.parse(line)).filter(({ Actor }) => Actor.Attributes.name === NAME);

// What is said of this machine and of others is nothing that anyone reads.
const PRIVATE = new Set(['ID', 'Name', 'RegistryConfig', 'IndexServerAddress', 'KernelVersion', 'hostname', 'kernel']);
const isPublic = ([key]) => !PRIVATE.has(key);
fixtures.info = Object.fromEntries(Object.entries(fixtures.info).filter(isPublic));
const libpod = fixtures['libpod-info'];
if (libpod) libpod.host = Object.fromEntries(Object.entries(libpod.host).filter(isPublic));
for (const { Details } of fixtures.version.Components) if (Details) Details.KernelVersion = '6.1.0';
fixtures.version.KernelVersion = '6.1.0';

const version = fixtures.version.Version.split('.').slice(0, 2).join('.');
const directory = join(root, 'test/fixtures', `${engine}-${version}`);
mkdirSync(directory, { recursive: true });
for (const [name, value] of Object.entries(fixtures)) {
  writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
}
