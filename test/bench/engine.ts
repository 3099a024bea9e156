import Docker from 'dockerode';
import { systemClock } from '../../controller/clock';
import { LABELS } from '../../runtimes/labels';
import type { ContainerSpec, Runtime } from '../../runtimes/runtime';
import { createRuntime } from '../../runtimes/select';
import { BenchDaemon, until } from './daemon';
import { BenchHome, document } from './home';
import { median, row, type Row } from './rows';

const SANDBOXES = '/apis/berth.dev/v1alpha1/sandboxes';
const STARTS = 20;
const EDITS = 50;

interface Sandbox {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** What the way from a saved file to the engine and back costs, on a real Docker beside the bare engine. */
export async function measureEngine({ controller }: { controller: string }): Promise<Row[]> {
  const runtime = createRuntime({ kind: 'Docker', env: process.env, uid: process.getuid?.() ?? 0, clock: systemClock });
  const bench = new BenchHome();
  const daemon = await BenchDaemon.start(controller, bench.home);
  try {
    const starts = await measureStarts({ bench, daemon, runtime });
    const edits = await measureEdits(bench, daemon);
    return [
      row(`bare engine: create and start, p50 of ${STARTS}`, starts.raw, { unit: 'ms', aim: Infinity }),
      row(`manifest saved to container running, above that, p50 of ${STARTS}`, starts.ours - starts.raw, {
        unit: 'ms',
        aim: 180,
      }),
      row(`manifest edited to status, p50 of ${EDITS}`, edits, { unit: 'ms', aim: 200 }),
    ];
  } finally {
    await daemon.stop();
    bench.close();
  }
}

interface Measured {
  readonly bench: BenchHome;
  readonly daemon: BenchDaemon;
  readonly runtime: Runtime;
}

async function measureStarts(measured: Measured): Promise<{ ours: number; raw: number }> {
  const ours: number[] = [];
  const raw: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const times = await oneStart(`b${n}`, measured);
    ours.push(times.ours);
    raw.push(times.raw);
  }
  return { ours: median(ours), raw: median(raw) };
}

/** From the moment the file is written to the engine's own word that it started; and the same container bare. */
async function oneStart(name: string, { bench, daemon, runtime }: Measured): Promise<{ ours: number; raw: number }> {
  const started = await startEvent(name, runtime.endpoint);
  const from = performance.now();
  bench.write(`${name}.yaml`, document('Sandbox', name, '{ projects: [web] }'));
  const containerName = await started.name;
  const ours = performance.now() - from;
  const raw = await rawStart(runtime, await sameSpec(containerName, runtime));
  bench.write(`${name}.yaml`, '');
  await daemon.api.send({ method: 'DELETE', path: `${SANDBOXES}/${name}` });
  await until(async () => !(await runtime.containers.observe(containerName)).present);
  return { ours, raw };
}

/** Resolves once subscribed; `name` is that of the container that starts for this sandbox. */
async function startEvent(sandbox: string, endpoint: string): Promise<{ readonly name: Promise<string> }> {
  const docker = new Docker({ socketPath: endpoint.replace('unix://', '') });
  const filters = JSON.stringify({ event: ['start'], label: [`${LABELS.name}=${sandbox}`] });
  const stream = (await docker.getEvents({ filters } as Docker.GetEventsOptions)) as NodeJS.ReadableStream & {
    destroy(): void;
  };
  const name = new Promise<string>((resolve) => {
    stream.once('data', (chunk: Buffer) => {
      const { Actor } = JSON.parse(chunk.toString('utf8').split('\n')[0] ?? '') as {
        Actor: { Attributes: { name: string } };
      };
      stream.destroy();
      resolve(Actor.Attributes.name);
    });
  });
  return { name };
}

/** What the engine says the container is, as a request for another one like it. */
async function sameSpec(containerName: string, runtime: Runtime): Promise<ContainerSpec> {
  const container = await runtime.containers.observe(containerName);
  if (!container.present) throw new Error(`${containerName} is gone`);
  const { facts, labels } = container;
  const [uid = 0, gid = 0] = (facts.user ?? '').split(':').map(Number);
  return {
    name: `${containerName}-bare`,
    labels: { ...labels, [LABELS.instance]: 'bench' },
    imageId: facts.imageId,
    command: facts.command ?? [],
    workdir: '/',
    user: { uid, gid },
    identity: 'UidGid',
    environment: facts.environment ?? {},
    mounts: (facts.mounts ?? []).map((mount) => ({ ...mount, role: 'workspace' })),
    limits: facts.limits ?? {},
    network: 'none',
    ports: [],
    security: facts.security ?? { noNewPrivileges: true, privileged: false, capDrop: ['ALL'], capAdd: [] },
    restart: 'no',
  };
}

async function rawStart(runtime: Runtime, spec: ContainerSpec): Promise<number> {
  const from = performance.now();
  const id = await runtime.containers.create(spec);
  await runtime.containers.start(id);
  const ms = performance.now() - from;
  await runtime.containers.remove(id);
  return ms;
}

/** From the moment an edited file is written to the status that says so. */
async function measureEdits(bench: BenchHome, daemon: BenchDaemon): Promise<number> {
  const path = `${SANDBOXES}/edited`;
  const isUpToDate = async (): Promise<string | undefined> => {
    const { status } = await daemon.api.send<Sandbox>({ path });
    return status?.conditions?.find(({ type }) => type === 'UpToDate')?.status;
  };
  const write = (keepRunning: boolean): void => {
    bench.write('edited.yaml', document('Sandbox', 'edited', `{ projects: [web], keepRunning: ${keepRunning} }`));
  };
  write(false);
  await until(async () => (await isUpToDate()) === 'True');
  const times: number[] = [];
  for (let n = 0; n < EDITS; n += 1) {
    const from = performance.now();
    write(n % 2 === 0);
    await until(async () => (await isUpToDate()) === (n % 2 === 0 ? 'False' : 'True'), 2);
    times.push(performance.now() - from);
  }
  await daemon.api.send({ method: 'DELETE', path });
  bench.write('edited.yaml', '');
  await until(async () =>
    daemon.api.send({ path }).then(
      () => false,
      () => true,
    ),
  );
  return median(times);
}
