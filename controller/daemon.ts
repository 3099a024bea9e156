import { chmodSync, rmSync } from 'node:fs';
import { makePrivateDirectory } from '../host/make-directory';
import { createApi } from './api/server';
import type { ControllerStatus } from './api/wire/types';
import { timestamp, type Clock } from './clock';
import type { EventRecorder } from './events';
import type { Home } from './home';
import { lockHome } from './lock';
import type { Logger } from './log';
import type { Manager } from './manager';
import type { StoreHealth } from './state/db';
import type { ObjectStore } from './store';

export interface DaemonOptions {
  readonly home: Home;
  /** Called once the home is known to be nobody else's. */
  readonly compose: () => DaemonParts;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  /** Aborting it stops the daemon in good order. */
  readonly signal: AbortSignal;
}

export interface DaemonParts {
  readonly store: ObjectStore;
  readonly events: EventRecorder;
  readonly manager: Manager;
  readonly health: StoreHealth;
  close(): Promise<void>;
}

/**
 * Keeps one home until the signal aborts: takes its lock, serves the API on its socket, and runs the controller. Throws
 * HomeInUseError when another one keeps it, and StateStoreError, once all has ended, when its store is damaged.
 */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  const { home, clock } = options;
  for (const directory of [home.state, home.run]) makePrivateDirectory(directory);
  const startedAt = timestamp(clock);
  const unlock = lockHome(home.state, { pid: process.pid, startedAt });
  try {
    await serve(options, startedAt);
  } finally {
    unlock();
  }
}

async function serve(options: DaemonOptions, startedAt: string): Promise<void> {
  const { home, compose, clock, log, version, signal } = options;
  const parts = compose();
  const progress = { ready: false };
  const status = (): ControllerStatus => ({
    pid: process.pid,
    version,
    ready: progress.ready,
    ...(home.root === undefined ? {} : { home: home.root }),
    manifests: home.manifests,
    data: home.data,
    state: home.state,
    socket: home.socket,
    startedAt,
    uptimeSeconds: Math.floor((clock.now() - Date.parse(startedAt)) / 1000),
    ...problemsOf(parts.health),
  });
  const api = createApi({ store: parts.store, events: parts.events, clock, log, version, status });
  try {
    await listen(api, home.socket);
    await parts.manager.start();
    progress.ready = true;
    log.info({ socket: home.socket, manifests: home.manifests }, 'the controller runs');
    const damage = await Promise.race([aborted(signal), parts.health.damaged]);
    if (damage) throw damage;
    log.info({}, 'the controller stops');
  } finally {
    await api.close();
    await parts.close();
  }
}

/** The shortest limit of the systems this runs on: `sun_path` of macOS has 104 bytes with its end, of Linux 108. */
const MOST_SOCKET_BYTES = 103;

/** Whoever can connect may delete: the socket is its owner's alone, in a directory that is too. */
async function listen(api: ReturnType<typeof createApi>, socket: string): Promise<void> {
  if (Buffer.byteLength(socket) > MOST_SOCKET_BYTES) {
    throw new Error(
      `${socket} is longer than a socket's path may be (${MOST_SOCKET_BYTES} bytes): choose a shorter home`,
    );
  }
  rmSync(socket, { force: true });
  await api.listen({ path: socket });
  chmodSync(socket, 0o600);
}

function problemsOf(health: StoreHealth): Pick<ControllerStatus, 'problems'> {
  const problems = health.problems();
  return problems.length === 0 ? {} : { problems };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
