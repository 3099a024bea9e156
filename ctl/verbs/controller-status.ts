import { type ApiClient, NotRunningError } from '../../controller/api/client';
import { humanDuration } from '../../controller/api/wire/duration';
import { type ControllerStatus, STATUS_PATH } from '../../controller/api/wire/types';
import type { Context, ExitCode } from '../context';
import { delay } from '../delay';
import { layOut } from '../print/columns';
import { isAlive } from '../process';

const POLL_MS = 50;

/** Sandboxes go on without it, so that all it has to do is finish the passes under way. */
const STOP_TIMEOUT_MS = 60_000;

/** Undefined when none runs. */
export async function findController(client: ApiClient): Promise<ControllerStatus | undefined> {
  try {
    return await client.send<ControllerStatus>({ path: STATUS_PATH });
  } catch (error) {
    if (error instanceof NotRunningError) return undefined;
    throw error;
  }
}

/** `ctl controller status`: which one runs; exit code 1 when none does. */
export async function status({ client, home, stdout, stderr }: Context): Promise<ExitCode> {
  const found = await findController(client);
  if (found === undefined) {
    stderr.line(`The controller is not running (nothing answers at ${home.socket}).`);
    return 1;
  }
  const rows = [
    ['Controller:', found.ready ? 'ready' : 'reading the manifests'],
    ['PID:', String(found.pid)],
    ['Version:', found.version],
    ...(found.home === undefined ? [] : [['Home:', found.home]]),
    ['Manifests:', found.manifests],
    ['Data:', found.data],
    ['State:', found.state],
    ['Socket:', found.socket],
    ['Started:', found.startedAt],
    ['Uptime:', humanDuration(found.uptimeSeconds * 1000)],
    ...(found.problems ?? []).map((problem) => ['Problem:', problem]),
  ];
  stdout.write(layOut(rows));
  return 0;
}

/** `ctl controller stop`: returns when its process has gone. What runs in sandboxes goes on. */
export async function stop(context: Context): Promise<ExitCode> {
  const found = await findController(context.client);
  if (found === undefined) {
    context.stderr.line('The controller is not running.');
    return 0;
  }
  process.kill(found.pid, 'SIGTERM');
  const deadline = context.clock.now() + STOP_TIMEOUT_MS;
  while (isAlive(found.pid)) {
    if (context.clock.now() >= deadline || context.signal.aborted) {
      context.stderr.line(`error: the controller (pid ${found.pid}) was told to stop and has not yet`);
      return 1;
    }
    await delay(context.clock, POLL_MS, context.signal);
  }
  context.stdout.line('The controller has stopped; sandboxes and sessions go on.');
  return 0;
}
