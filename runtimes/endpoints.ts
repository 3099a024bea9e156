import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** What decides where an engine is looked for: the environment and the person, never read from the process here. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
}

/** An endpoint, and whose word it is. A named one is taken at its word; a guessed one must be there. */
export interface Candidate {
  readonly endpoint: string;
  readonly source: string;
  readonly named: boolean;
}

type Strategy = (around: Surroundings) => readonly Candidate[];

/** In order of precedence: what a person said in the environment, the system's engine, then their own. */
const STRATEGIES: Readonly<Record<'Docker' | 'Podman', readonly Strategy[]>> = {
  Docker: [
    fromVariable('DOCKER_HOST'),
    () => sockets('the system', ['/var/run/docker.sock', '/run/docker.sock']),
    ({ env, uid }) => sockets('rootless Docker', [join(runtimeDirectory(env, uid), 'docker.sock')]),
    ({ env }) => inHome(env, 'Docker Desktop', ['.docker/run/docker.sock', '.docker/desktop/docker.sock']),
  ],
  Podman: [
    fromVariable('CONTAINER_HOST'),
    ({ env, uid }) => sockets('rootless Podman', [join(runtimeDirectory(env, uid), 'podman/podman.sock')]),
    // The system's Podman is root's: for anyone else it would be a way around what they may do.
    ({ uid }) => (uid === 0 ? sockets('the system', ['/run/podman/podman.sock']) : []),
    ({ env }) => inHome(env, 'a Podman machine', ['.local/share/containers/podman/machine/podman.sock']),
  ],
};

export function candidates(kind: 'Docker' | 'Podman', around: Surroundings): readonly Candidate[] {
  return STRATEGIES[kind].flatMap((strategy) => strategy(around));
}

/** Host paths of every engine socket that may exist here: nothing that holds one may be mounted into a sandbox. */
export function engineSockets(around: Surroundings): readonly string[] {
  const all = [...candidates('Docker', around), ...candidates('Podman', around)];
  const paths = all.filter(({ endpoint }) => endpoint.startsWith('unix://')).map(({ endpoint }) => endpoint.slice(7));
  return [...new Set(paths)].toSorted();
}

function fromVariable(name: string): Strategy {
  return ({ env }) => {
    const endpoint = env[name];
    return endpoint ? [{ endpoint, source: name, named: true }] : [];
  };
}

function runtimeDirectory(env: Surroundings['env'], uid: number): string {
  return env.XDG_RUNTIME_DIR || `/run/user/${uid}`;
}

function inHome(env: Surroundings['env'], source: string, paths: readonly string[]): readonly Candidate[] {
  const home = env.HOME;
  return home
    ? sockets(
        source,
        paths.map((path) => join(home, path)),
      )
    : [];
}

function sockets(source: string, paths: readonly string[]): readonly Candidate[] {
  return paths.map((path) => ({ endpoint: `unix://${path}`, source, named: false }));
}

/** Whether a socket can be connected to, as far as the file system tells. */
export type SocketState = 'absent' | 'denied' | 'usable';

/** Connecting to a socket takes the right to write to it. */
export function socketState(path: string): SocketState {
  try {
    accessSync(path, constants.W_OK);
    return 'usable';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'absent';
  }
}

/** Whether a command is in one of PATH's directories. */
export function isInstalled(command: string, env: Surroundings['env']): boolean {
  const directories = (env.PATH ?? '').split(':').filter((directory) => directory !== '');
  return directories.some((directory) => canExecute(join(directory, command)));
}

function canExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
