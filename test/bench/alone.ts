import { spawnSync } from 'node:child_process';
import { BenchDaemon, until } from './daemon';
import { BenchHome, document, sandboxes } from './home';
import { median, row, type Row } from './rows';

const SANDBOXES = '/apis/berth.dev/v1alpha1/sandboxes';
const SESSIONS = '/apis/berth.dev/v1alpha1/sessions';
const COUNT = 200;

/** The first ones after a start, and as many as come in hours: by then the program's own code is compiled. */
const FIRST = 5;
const MORE = 30;

interface Resync {
  readonly cpuMs: number;
  readonly writes: number;
}

interface List {
  readonly items: readonly {
    readonly status?: { conditions?: { type: string; status: string }[]; observedGeneration?: number };
  }[];
}

/** What the controller costs by itself: 200 sandboxes on an engine that costs nothing. */
export async function measureAlone({ fake, ctl }: { fake: string; ctl: string }): Promise<Row[]> {
  const bench = new BenchHome();
  bench.write('sandboxes.yaml', sandboxes(COUNT));
  const daemon = await BenchDaemon.start(fake, bench.home);
  try {
    await until(async () => (await daemon.get<List>(SANDBOXES)).items.filter(isReady).length === COUNT, 100);
    const resyncs: Resync[] = [];
    for (let n = 0; n < FIRST + MORE; n += 1) resyncs.push(await daemon.ask<Resync>('SIGUSR2'));
    const cpu = resyncs.map(({ cpuMs }) => cpuMs);
    const resident = daemon.residentBytes() / 1024 / 1024;
    bench.write(
      'sessions.yaml',
      Array.from({ length: COUNT }, (_, n) => document('Session', `c${n}`, SESSION)).join(''),
    );
    await until(
      async () => (await daemon.get<List>(SESSIONS)).items.filter(({ status }) => status).length === COUNT,
      100,
    );
    const node = commandMs(process.execPath, ['-e', '0'], process.env);
    const get = commandMs(ctl, ['get', 'sessions'], { ...process.env, BERTH_HOME: bench.home.root ?? '' });
    return [
      row(`no-op resync of ${COUNT} sandboxes: engine writes`, Math.max(...resyncs.map(({ writes }) => writes)), {
        unit: 'writes',
        aim: 0,
      }),
      row(`the same: CPU, p50 of the first ${FIRST} after a start`, median(cpu.slice(0, FIRST)), {
        unit: 'ms',
        aim: 100,
      }),
      row(`the same: CPU, p50 of ${MORE} more`, median(cpu.slice(FIRST)), { unit: 'ms', aim: 100 }),
      row(`ctl get sessions, ${COUNT} objects, above node -e 0`, get - node, { unit: 'ms', aim: 35 }),
      row(`controller resident with ${COUNT} sandboxes`, resident, { unit: 'MB', aim: 140 }),
    ];
  } finally {
    await daemon.stop();
    bench.close();
  }
}

const SESSION = '{ project: web, agent: shell, placement: Host }';

function isReady({ status }: List['items'][number]): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/** Median of 20 runs, the first thrown away. */
function commandMs(command: string, args: readonly string[], env: NodeJS.ProcessEnv): number {
  const times = Array.from({ length: 21 }, () => {
    const started = process.hrtime.bigint();
    const { status, stderr } = spawnSync(command, args, { env: { PATH: process.env['PATH'], ...env } });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${String(stderr)}`);
    return Number(process.hrtime.bigint() - started) / 1e6;
  });
  return median(times.slice(1));
}
