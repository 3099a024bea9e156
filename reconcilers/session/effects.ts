import { fromPromise } from 'xstate';
import type { ObjectStore } from '../../controller/store';
import { RESTARTED_AT } from '../../crds/meta';
import { RuntimeError } from '../../runtimes/errors';
import type { EngineProvider } from '../../runtimes/provider';
import type { CallOptions, ExecApi } from '../../runtimes/runtime';
import { sessionPass, type EffectInput } from './machine';
import { readPlace, writePlace } from './records';
import { lookCommand, readLook, startCommand, stopCommand } from './scripts';
import type { SandboxTarget, SessionDesired, SessionObserved } from './types';

export interface SessionDeps {
  readonly engines: EngineProvider;
  readonly store: ObjectStore;
}

/** The machine of a session with its actors bound to the world. */
export function sessionMachine(deps: SessionDeps) {
  const effect = (run: (view: EffectInput, options: CallOptions) => Promise<void>) =>
    fromPromise<void, EffectInput>(async ({ input, signal }) => run(input, { signal }));
  const write = (run: (desired: SessionDesired) => void) =>
    effect(({ desired }) => {
      run(desired);
      return Promise.resolve();
    });
  return sessionPass.provide({
    actors: {
      observe: fromPromise<SessionObserved, SessionDesired>(async ({ input, signal }) =>
        observe(input, deps, { signal }),
      ),
      claim: write(({ own }) => {
        deps.store.applyOwned(own.owner, own.declaration);
        if (own.restart !== undefined) deps.store.annotate(own.declaration, { [RESTARTED_AT]: own.restart });
      }),
      deleteOwn: write(({ own }) => {
        deps.store.requestDeletion(own.declaration);
      }),
      letGo: write(({ key }) => {
        deps.store.requestDeletion(key);
      }),
      start: effect(async ({ desired }, options) => start(desired, deps, options)),
      stop: effect(async (view, options) => stop(view, deps, options)),
    },
  });
}

/** Asks where it was last started, when that is elsewhere than it would be now, then where it would be. */
async function observe(desired: SessionDesired, deps: SessionDeps, options: CallOptions): Promise<SessionObserved> {
  const { target } = desired;
  const place = readPlace(deps.store, desired.uid);
  if (place && place.containerId !== target?.containerId) {
    const there = await look(place, { desired, deps, options });
    if (there.process.state === 'Running') return { ...there, elsewhere: place };
  }
  return target ? look(target, { desired, deps, options }) : { process: { state: 'None' } };
}

type Container = Pick<SandboxTarget, 'containerId' | 'engine'>;

interface Look {
  readonly desired: SessionDesired;
  readonly deps: SessionDeps;
  readonly options: CallOptions;
}

/** Asks in the container, as the user sessions run as. Without a running container there is no process. */
async function look(container: Container, { desired, deps, options }: Look): Promise<SessionObserved> {
  const command = lookCommand(desired.uid, desired.command[0] ?? '');
  try {
    const execs = await execsOf(container, deps, options);
    const { stdout } = await execs.run(container.containerId, { command }, options);
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

async function start(desired: SessionDesired, deps: SessionDeps, options: CallOptions): Promise<void> {
  const { target, uid, run, command, sandbox } = desired;
  if (target?.workdir === undefined) throw new Error('there is nowhere to start');
  const { containerId, engine, workdir } = target;
  const execs = await execsOf(target, deps, options);
  writePlace(deps.store, uid, { sandbox, containerId, engine, workdir });
  await execs.start(containerId, { command: startCommand(uid, run, command), workdir, tty: true }, options);
}

async function stop({ desired, observed }: EffectInput, deps: SessionDeps, options: CallOptions): Promise<void> {
  const container = observed.elsewhere ?? desired.target;
  if (!container) return;
  const execs = await execsOf(container, deps, options);
  await execs.run(container.containerId, { command: stopCommand(desired.uid) }, options);
}

async function execsOf({ engine }: Container, deps: SessionDeps, options: CallOptions): Promise<ExecApi> {
  const { runtime } = await deps.engines.connect(engine, options);
  return runtime.execs;
}
