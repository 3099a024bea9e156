import { assign, fromPromise, setup } from 'xstate';
import { notProvided } from '../shared/effects';
import type { SandboxDesired } from './desired';
import { guards as table, healthyInMs, startDelayMs, viewOf, type SandboxView } from './guards';
import type { SandboxObserved } from './observed';

export interface SandboxContext {
  readonly desired: SandboxDesired;
  readonly observed: SandboxObserved | null;
  /** Both compared, once a pass. */
  readonly view: SandboxView | null;
  readonly error: unknown;
  readonly waitMs?: number;
}

/** What every effect is told: the view it was decided by. */
export type EffectInput = SandboxView;

/** `Pending`: the image is still coming; its task wakes the key. */
export type ImageOutcome = 'Pending' | 'Here';

/** A container of another owner may go away without a hint that we would hear. */
const LOOK_AGAIN_MS = 10_000;

function view({ view: made }: SandboxContext): SandboxView {
  if (!made) throw new Error('nothing is decided before it is observed');
  return made;
}

type Guards = { [Name in keyof typeof table]: (args: { context: SandboxContext }) => boolean };

const guards = Object.fromEntries(
  Object.entries(table).map(([name, holds]) => [
    name,
    ({ context }: { context: SandboxContext }) => holds(view(context)),
  ]),
) as Guards;

const machineSetup = setup({
  types: {
    context: {} as SandboxContext,
    input: {} as { desired: SandboxDesired },
  },
  actors: {
    observe: fromPromise<SandboxObserved, SandboxDesired>(notProvided),
    getImage: fromPromise<ImageOutcome, EffectInput>(notProvided),
    create: fromPromise<void, EffectInput>(notProvided),
    start: fromPromise<void, EffectInput>(notProvided),
    stop: fromPromise<void, EffectInput>(notProvided),
    remove: fromPromise<void, EffectInput>(notProvided),
    setAside: fromPromise<void, EffectInput>(notProvided),
    letGo: fromPromise<void, EffectInput>(notProvided),
  },
  guards,
  actions: {
    keepError: assign({ error: ({ event }) => (event as { error?: unknown }).error }),
    waitForStart: assign({ waitMs: ({ context }) => finite(startDelayMs(view(context))) }),
    waitForHealth: assign({ waitMs: ({ context }) => healthyInMs(view(context)) }),
    lookAgain: assign({ waitMs: LOOK_AGAIN_MS }),
  },
});

/** All starts are used up: nothing is to be waited for but a person. */
function finite(delayMs: number): number | undefined {
  return Number.isFinite(delayMs) ? delayMs : undefined;
}

/** One state a step: run the effect, then let the next pass look. */
function step<Name extends 'create' | 'start' | 'stop' | 'remove' | 'setAside' | 'letGo'>(src: Name) {
  return {
    invoke: {
      src,
      input: ({ context }: { context: SandboxContext }) => view(context),
      onDone: 'acted',
      onError: { target: 'failed', actions: 'keepError' },
    },
  } as const;
}

/** One pass over a sandbox. The list under `deciding` is the decision table: the first that holds is done. */
export const sandboxPass = machineSetup.createMachine({
  id: 'sandbox',
  context: ({ input }) => ({ desired: input.desired, observed: null, view: null, error: undefined }),
  initial: 'observing',
  states: {
    observing: {
      invoke: {
        src: 'observe',
        input: ({ context }) => context.desired,
        onDone: {
          target: 'deciding',
          actions: assign({
            observed: ({ event }) => event.output,
            view: ({ context, event }) => viewOf(context.desired, event.output),
          }),
        },
        onError: { target: 'failed', actions: 'keepError' },
      },
    },
    deciding: {
      always: [
        { guard: 'mustStopToDelete', target: 'stopping' },
        { guard: 'mustRemoveToDelete', target: 'removing' },
        { guard: 'mustSetAside', target: 'settingAside' },
        { guard: 'isGone', target: 'gone' },
        { guard: 'mustLetGo', target: 'lettingGo' },
        { guard: 'isForeign', target: 'waiting', actions: 'lookAgain' },
        { guard: 'mustStop', target: 'stopping' },
        { guard: 'mayRest', target: 'settled' },
        { guard: 'isBlocked', target: 'settled' },
        { guard: 'isKept', target: 'waiting', actions: 'lookAgain' },
        { guard: 'mustGetImage', target: 'gettingImage' },
        { guard: 'mustStopToRestart', target: 'stopping' },
        { guard: 'mustRemoveToReplace', target: 'removing' },
        { guard: 'mustCreate', target: 'creating' },
        { guard: 'mustWaitToStart', target: 'waiting', actions: 'waitForStart' },
        { guard: 'mustStart', target: 'starting' },
        { guard: 'mustSeeItHealthy', target: 'waiting', actions: 'waitForHealth' },
        { target: 'settled' },
      ],
    },
    gettingImage: {
      invoke: {
        src: 'getImage',
        input: ({ context }) => view(context),
        onDone: [{ guard: ({ event }) => event.output === 'Pending', target: 'waiting' }, { target: 'acted' }],
        onError: { target: 'failed', actions: 'keepError' },
      },
    },
    creating: step('create'),
    starting: step('start'),
    stopping: step('stop'),
    removing: step('remove'),
    settingAside: step('setAside'),
    lettingGo: step('letGo'),
    acted: { type: 'final' },
    waiting: { type: 'final' },
    settled: { type: 'final' },
    gone: { type: 'final' },
    failed: { type: 'final' },
  },
});
