import type { ExecAnswer, FakeContainer } from '../../runtimes/fake';
import { lookCommand, startCommand, stopCommand } from '../../reconcilers/session/scripts';
import type { ExecRequest } from '../../runtimes/runtime';

/** Names, in an image's environment, the programs that it lacks. */
export const LACKS = 'FAKE_LACKS';

/** What the scripts keep of a run that has ended, for as long as that run of the container lasts. */
interface Ended {
  readonly run: string;
  readonly exitCode: number | undefined;
  readonly starts: number;
}

const ended = new WeakMap<FakeContainer, Map<string, Ended>>();

/** Plays the shell scripts by which sessions are kept in a container: what they would find and do there. */
export function playSessions(container: FakeContainer, { command }: ExecRequest): ExecAnswer | undefined {
  const [uid = '', program = ''] = command.slice(4);
  if (same(command, lookCommand(uid, program))) return { stdout: look(container, uid, program) };
  if (same(command, stopCommand(uid))) {
    loseRecord(container, uid);
  }
  return undefined;
}

/** Ends a session's program by itself; without an exit code, by a signal that nobody saw. */
export function endSession(container: FakeContainer, uid: string, exitCode?: number): void {
  for (const { run } of sessionsIn(container, uid)) {
    const kept = ended.get(container) ?? new Map<string, Ended>();
    ended.set(container, kept.set(uid, { run, exitCode, starts: container.starts }));
  }
  for (const { pid, request } of [...container.processes.values()]) {
    if (request.command[4] === uid) container.processes.delete(pid);
  }
}

/** Takes away all that is known of a session's runs: its program may go on, and nobody finds it. */
export function loseRecord(container: FakeContainer, uid: string): void {
  endSession(container, uid);
  ended.get(container)?.delete(uid);
}

/** The runs of sessions in a container, each once: the script starts only one process a run. */
export function sessionsIn(container: FakeContainer, uid?: string): { pid: number; uid: string; run: string }[] {
  const found = new Map<string, { pid: number; uid: string; run: string }>();
  for (const { pid, request } of container.processes.values()) {
    const [owner = '', run = '', ...program] = request.command.slice(4);
    if (!same(request.command, startCommand(owner, run, program))) continue;
    if (uid === undefined || uid === owner) found.set(`${owner} ${run}`, { pid, uid: owner, run });
  }
  return [...found.values()];
}

function look(container: FakeContainer, uid: string, program: string): string {
  const found = (container.imageEnvironment[LACKS] ?? '').split(' ').includes(program) ? 'no' : 'yes';
  return [`found ${found}`, ...processLines(container, uid), 'end', ''].join('\n');
}

function processLines(container: FakeContainer, uid: string): string[] {
  const session = sessionsIn(container, uid).at(-1);
  if (session) return [`run ${session.run}`, `pid ${session.pid}`];
  const last = ended.get(container)?.get(uid);
  if (last?.starts !== container.starts) return [];
  return [`run ${last.run}`, ...(last.exitCode === undefined ? [] : [`exit ${last.exitCode}`])];
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
