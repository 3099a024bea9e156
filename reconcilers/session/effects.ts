import { fromPromise } from 'xstate';
import type { Clock } from '../../controller/clock';
import type { ObjectStore } from '../../controller/store';
import { RESTARTED_AT } from '../../crds/meta';
import { RuntimeError } from '../../runtimes/errors';
import type { EngineProvider } from '../../runtimes/provider';
import type { CallOptions, ExecApi, ExecResult } from '../../runtimes/runtime';
import { mayRun } from './guards';
import { sessionPass, type EffectInput } from './machine';
import { readPlace, writePlace } from './records';
import { lookCommand, readLook, startCommand, stopCommand } from './scripts';
import { silent, Suspects } from './suspects';
import type { ProcessState, SandboxTarget, SessionDesired, SessionObserved, SessionPlace } from './types';
import { within } from './within';

export interface SessionDeps {
  readonly engines: EngineProvider;
  readonly store: ObjectStore;
  readonly clock: Clock;
}

interface Deps extends SessionDeps {
  readonly suspects: Suspects;
}

/** The scripts end sooner by themselves. Who can keep them from it must not hold a worker for long. */
const LOOK_MS = 5_000;
const START_MS = 15_000;
const STOP_MS = 15_000;

/** Far more than the scripts print. */
const OUTPUT_BYTES = 64 * 1024;

/** The machine of a session with its actors bound to the world. */
export function sessionMachine(given: SessionDeps) {
  const deps: Deps = { ...given, suspects: new Suspects() };
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
async function observe(desired: SessionDesired, deps: Deps, options: CallOptions): Promise<SessionObserved> {
  const { target } = desired;
  const place = readPlace(deps.store, desired.uid);
  if (place && place.containerId !== target?.containerId) {
    const there = await look(place, { desired, deps, options });
    if (mayRun(there)) return { ...there, elsewhere: place };
  }
  if (!target) return { process: { state: 'None' } };
  const seen = await look(target, { desired, deps, options });
  return place ? inTheLightOf(place, desired, seen) : seen;
}

/** What was found, with what is known of the last start. */
function inTheLightOf(place: SessionPlace, desired: SessionDesired, seen: SessionObserved): SessionObserved {
  const interrupted = isInterrupted(place, desired) ? { interrupted: true as const } : {};
  const process = seen.process.state === 'None' && wasBegun(place, desired) ? ended(desired) : seen.process;
  return { ...seen, ...interrupted, process };
}

/** Whoever takes the record of a run away ends that run, and is not given another one each time. */
function ended({ run }: SessionDesired): ProcessState {
  return { state: 'Exited', run };
}

function isInterrupted({ begun }: SessionPlace, { sandboxRestartedAt }: SessionDesired): boolean {
  return begun !== undefined && sandboxRestartedAt > begun.at;
}

function wasBegun({ containerId, begun }: SessionPlace, { target, run }: SessionDesired): boolean {
  return begun?.run === run && containerId === target?.containerId && begun.in === target.startedAt;
}

type Container = Pick<SandboxTarget, 'containerId' | 'engine'>;

interface Look {
  readonly desired: SessionDesired;
  readonly deps: Deps;
  readonly options: CallOptions;
}

/** Asks in the container, as the user sessions run as. Without a running container there is no process. */
async function look(container: Container, { desired, deps, options }: Look): Promise<SessionObserved> {
  const command = lookCommand(desired.uid, desired.command[0] ?? '');
  const execs = await execsOf(container, deps, options);
  const question = { container, command, limitMs: LOOK_MS };
  return deps.suspects.ask(container.containerId, async () => answerOf(ask(execs, question, deps, options)));
}

async function answerOf(asked: Promise<ExecResult>): Promise<SessionObserved> {
  try {
    const { stdout } = await asked;
    return readLook(stdout.toString('utf8')) ?? silent(new Error('it answered something else than was asked'));
  } catch (error) {
    if (isGone(error)) return { process: { state: 'None' } };
    if (error instanceof RuntimeError && error.code === 'Paused') return { process: { state: 'Paused' } };
    if (isUnanswered(error)) return silent(error);
    throw error;
  }
}

interface Question {
  readonly container: Container;
  readonly command: readonly string[];
  readonly limitMs: number;
}

/** What runs in a container may be anyone's: neither its time nor its output is without a bound. */
async function ask(
  execs: ExecApi,
  { container, command, limitMs }: Question,
  { clock }: SessionDeps,
  options: CallOptions,
): Promise<ExecResult> {
  const request = { command, maxOutputBytes: OUTPUT_BYTES };
  return within(limitMs, clock, options, (bounded) => execs.run(container.containerId, request, bounded));
}

function isUnanswered(error: unknown): error is RuntimeError {
  return error instanceof RuntimeError && (error.code === 'Timeout' || error.code === 'Internal');
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
  const place = { sandbox, containerId, engine, workdir };
  writePlace(deps.store, uid, place);
  const request = { command: startCommand(uid, run, command), workdir, tty: true };
  await within(START_MS, deps.clock, options, (bounded) => execs.start(containerId, request, bounded));
  if (target.startedAt !== undefined)
    writePlace(deps.store, uid, { ...place, begun: { run, in: target.startedAt, at: deps.clock.now() } });
}

async function stop({ desired, observed }: EffectInput, deps: SessionDeps, options: CallOptions): Promise<void> {
  const container = observed.elsewhere ?? desired.target;
  if (!container) return;
  const execs = await execsOf(container, deps, options);
  const question = { container, command: stopCommand(desired.uid), limitMs: STOP_MS };
  const { exitCode } = await ask(execs, question, deps, options);
  if (exitCode !== 0) throw new Error('not all of it could be ended');
  forgetRun(desired.uid, deps);
}

function forgetRun(uid: string, { store }: SessionDeps): void {
  const { begun, ...place } = readPlace(store, uid) ?? {};
  if (begun) writePlace(store, uid, place as SessionPlace);
}

async function execsOf({ engine }: Container, deps: SessionDeps, options: CallOptions): Promise<ExecApi> {
  const { runtime } = await deps.engines.connect(engine, options);
  return runtime.execs;
}
