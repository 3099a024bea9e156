import os from 'node:os';
import path from 'node:path';

/** Where one controller and its command line meet: absolute directories and the API's socket. */
export interface Home {
  /** Set when one directory holds everything (BERTH_HOME). */
  readonly root?: string;
  /** What people write. */
  readonly manifests: string;
  /** What agents write: homes, stores, worktrees. */
  readonly data: string;
  /** What the controller remembers: its database and its log. */
  readonly state: string;
  /** What does not outlive the login session. */
  readonly run: string;
  readonly socket: string;
}

/**
 * How node is started for a controller, which is idle nearly always. Its live heap is about 25 MB, but on a large machine
 * V8 lets garbage grow to a multiple of that before it collects: measured with 200 sandboxes, 188 MB resident without
 * the second of these, and 128 with it. The last one puts off optimising code until it has run for longer, which took a
 * third of the processor time of the first resyncs.
 */
export const CONTROLLER_NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=80',
  '--interrupt-budget=1000000',
];

/**
 * `BERTH_HOME` holds everything when it is set; otherwise the XDG base directories do
 * (https://specifications.freedesktop.org/basedir-spec). Their values count only when absolute, as that page demands.
 */
export function resolveHome(env: NodeJS.ProcessEnv): Home {
  const root = env['BERTH_HOME'];
  if (root) return underRoot(path.resolve(root));
  const user = env['HOME'] || os.homedir();
  const state = path.join(base(env, 'XDG_STATE_HOME', path.join(user, '.local', 'state')), 'berth');
  const runtime = base(env, 'XDG_RUNTIME_DIR', '');
  const run = runtime === '' ? path.join(state, 'run') : path.join(runtime, 'berth');
  return {
    manifests: path.join(base(env, 'XDG_CONFIG_HOME', path.join(user, '.config')), 'berth', 'manifests'),
    data: path.join(base(env, 'XDG_DATA_HOME', path.join(user, '.local', 'share')), 'berth'),
    state,
    run,
    socket: socketIn(run),
  };
}

function underRoot(root: string): Home {
  const run = path.join(root, 'run');
  return {
    root,
    manifests: path.join(root, 'manifests'),
    data: path.join(root, 'data'),
    state: path.join(root, 'state'),
    run,
    socket: socketIn(run),
  };
}

function base(env: NodeJS.ProcessEnv, variable: string, otherwise: string): string {
  const value = env[variable];
  return value !== undefined && path.isAbsolute(value) ? value : otherwise;
}

function socketIn(run: string): string {
  return path.join(run, 'controller.sock');
}
