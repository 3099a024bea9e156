import type { ExecAnswer, FakeContainer } from '../../runtimes/fake';
import { lookCommand, startCommand, stopCommand } from '../../reconcilers/session/scripts';
import type { ExecRequest } from '../../runtimes/runtime';

/** Plays the shell scripts by which sessions are kept in a container: what they would find and do there. */
export function playSessions(container: FakeContainer, { command }: ExecRequest): ExecAnswer | undefined {
  const [uid = '', program = ''] = command.slice(4);
  if (same(command, lookCommand(uid, program))) return { stdout: look(container, uid) };
  if (same(command, stopCommand(uid))) endSession(container, uid);
  return undefined;
}

/** Ends a session's program by itself. */
export function endSession(container: FakeContainer, uid: string): void {
  for (const { pid, run } of sessionsIn(container, uid)) if (run !== '') container.processes.delete(pid);
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

function look(container: FakeContainer, uid: string): string {
  const session = sessionsIn(container, uid).at(-1);
  return ['found yes', ...(session ? [`run ${session.run}`, `pid ${session.pid}`] : []), ''].join('\n');
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
