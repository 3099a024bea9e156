import { assign, fromPromise, setup } from 'xstate';
import { notProvided } from '../shared/effects';
import { guards as table, type SessionView } from './guards';
import type { SessionDesired, SessionObserved } from './types';

interface SessionContext {
  readonly desired: SessionDesired;
  readonly observed: SessionObserved | null;
  readonly error: unknown;
  readonly waitMs?: number;
}

/**
 * A plain process in a container ends without an event, so it is looked at again. Not often: Podman keeps two processes
 * of its own for five minutes after each look.
 */
const POLL_MS = 30_000;

function view({ desired, observed }: SessionContext): SessionView {
  if (!observed) throw new Error('nothing is decided before it is observed');
  return { desired, observed };
}

/** Why nobody knows what runs: the pass fails with it, and is tried again later each time. */
function silence({ observed: { process } }: SessionView): unknown {
  return process.state === 'Silent' ? process.error : undefined;
}

/** What every effect is told: the view it was decided by. */
export type EffectInput = SessionView;

type Guards = { [Name in keyof typeof table]: (args: { context: SessionContext }) => boolean };

const guards = Object.fromEntries(
  Object.entries(table).map(([name, holds]) => [
    name,
    ({ context }: { context: SessionContext }) => holds(view(context)),
  ]),
) as Guards;

const machineSetup = setup({
  types: { context: {} as SessionContext, input: {} as { desired: SessionDesired } },
  actors: {
    observe: fromPromise<SessionObserved, SessionDesired>(notProvided),
    claim: fromPromise<void, EffectInput>(notProvided),
    deleteOwn: fromPromise<void, EffectInput>(notProvided),
    letGo: fromPromise<void, EffectInput>(notProvided),
    start: fromPromise<void, EffectInput>(notProvided),
    stop: fromPromise<void, EffectInput>(notProvided),
  },
  guards,
  actions: {
    keepError: assign({ error: ({ event }) => (event as { error?: unknown }).error }),
    keepSilence: assign({ error: ({ context }) => silence(view(context)) }),
    poll: assign({ waitMs: POLL_MS }),
  },
});

function step<Name extends 'claim' | 'deleteOwn' | 'letGo' | 'start' | 'stop'>(src: Name) {
  return {
    invoke: {
      src,
      input: ({ context }: { context: SessionContext }) => view(context),
      onDone: 'acted',
      onError: { target: 'failed', actions: 'keepError' },
    },
  } as const;
}

/** One pass over a session. The list under `deciding` is the decision table: the first that holds is done. */
export const sessionPass = machineSetup.createMachine({
  id: 'session',
  context: ({ input }) => ({ desired: input.desired, observed: null, error: undefined }),
  initial: 'observing',
  states: {
    observing: {
      invoke: {
        src: 'observe',
        input: ({ context }) => context.desired,
        onDone: { target: 'deciding', actions: assign({ observed: ({ event }) => event.output }) },
        onError: { target: 'failed', actions: 'keepError' },
      },
    },
    deciding: {
      always: [
        { guard: 'mustStopToDelete', target: 'stopping' },
        { guard: 'mustDeleteOwn', target: 'deletingOwn' },
        { guard: 'mustAwaitOwn', target: 'settled' },
        { guard: 'isGone', target: 'gone' },
        { guard: 'mustLetGo', target: 'lettingGo' },
        { guard: 'isPaused', target: 'waiting', actions: 'poll' },
        { guard: 'isSilent', target: 'failed', actions: 'keepSilence' },
        { guard: 'mustStop', target: 'stopping' },
        { guard: 'mustLeaveForHost', target: 'stopping' },
        { guard: 'mustDropOwn', target: 'deletingOwn' },
        { guard: 'isRunningBlocked', target: 'waiting', actions: 'poll' },
        { guard: 'isBlocked', target: 'settled' },
        { guard: 'mustClaim', target: 'claiming' },
        { guard: 'mayRest', target: 'settled' },
        { guard: 'mustStopToRestart', target: 'stopping' },
        { guard: 'isRunning', target: 'waiting', actions: 'poll' },
        { guard: 'mustAwaitSandbox', target: 'settled' },
        { guard: 'mustAwaitAgent', target: 'waiting', actions: 'poll' },
        { guard: 'mustStart', target: 'starting' },
        { target: 'settled' },
      ],
    },
    claiming: step('claim'),
    deletingOwn: step('deleteOwn'),
    lettingGo: step('letGo'),
    starting: step('start'),
    stopping: step('stop'),
    acted: { type: 'final' },
    waiting: { type: 'final' },
    settled: { type: 'final' },
    gone: { type: 'final' },
    failed: { type: 'final' },
  },
});
