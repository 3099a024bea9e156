import { fromPromise } from 'xstate';
import type { ObjectStore } from '../../controller/store';
import { RuntimeError } from '../../runtimes/errors';
import type { EngineProvider } from '../../runtimes/provider';
import type { CallOptions, ExecApi } from '../../runtimes/runtime';
import { sessionPass } from './machine';
import { lookCommand, readLook, startCommand, stopCommand } from './scripts';
import type { SandboxTarget, SessionDesired, SessionObserved } from './types';

export interface SessionDeps {
  readonly engines: EngineProvider;
  readonly store: ObjectStore;
}

/** The machine of a session with its actors bound to the world. */
export function sessionMachine(deps: SessionDeps) {
  const effect = (run: (desired: SessionDesired, options: CallOptions) => Promise<void>) =>
    fromPromise<void, SessionDesired>(async ({ input, signal }) => run(input, { signal }));
  return sessionPass.provide({
    actors: {
      observe: fromPromise<SessionObserved, SessionDesired>(async ({ input, signal }) =>
        observe(input, deps, { signal }),
      ),
      claim: effect(async ({ own }) => {
        if (own) deps.store.applyOwned(own.owner, own.declaration);
        return Promise.resolve();
      }),
      deleteOwn: effect(async ({ own }) => {
        if (own) deps.store.requestDeletion(own.declaration);
        return Promise.resolve();
      }),
      letGo: effect(async ({ key }) => {
        deps.store.requestDeletion(key);
        return Promise.resolve();
      }),
      start: effect(async (desired, options) => start(desired, deps, options)),
      stop: effect(async (desired, options) => stop(desired, deps, options)),
    },
  });
}

/** Asks in the container, as the user sessions run as. Without a running container there is no process. */
async function observe(desired: SessionDesired, deps: SessionDeps, options: CallOptions): Promise<SessionObserved> {
  const { target, uid, command } = desired;
  if (!target) return { process: { state: 'None' } };
  try {
    const execs = await execsOf(target, deps, options);
    const { stdout } = await execs.run(target.containerId, { command: lookCommand(uid, command[0] ?? '') }, options);
    return readLook(stdout.toString('utf8'));
  } catch (error) {
    if (isGone(error)) return { process: { state: 'None' } };
    throw error;
  }
}

/** The container stopped or went since its status was written: then nothing of the session runs in it. */
function isGone(error: unknown): boolean {
  return error instanceof RuntimeError && error.failure.cause === 'SandboxStopped';
}

async function start(
  { target, uid, run, command }: SessionDesired,
  deps: SessionDeps,
  options: CallOptions,
): Promise<void> {
  if (target?.workdir === undefined) throw new Error('there is nowhere to start');
  const execs = await execsOf(target, deps, options);
  const request = { command: startCommand(uid, run, command), workdir: target.workdir, tty: true };
  await execs.start(target.containerId, request, options);
}

async function stop({ target, uid }: SessionDesired, deps: SessionDeps, options: CallOptions): Promise<void> {
  if (!target) return;
  const execs = await execsOf(target, deps, options);
  await execs.run(target.containerId, { command: stopCommand(uid) }, options);
}

async function execsOf({ engine }: SandboxTarget, deps: SessionDeps, options: CallOptions): Promise<ExecApi> {
  const { runtime } = await deps.engines.connect(engine, options);
  return runtime.execs;
}
