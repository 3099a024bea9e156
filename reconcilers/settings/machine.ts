import { assign, fromPromise, setup } from 'xstate';
import type { EngineProbe } from '../../runtimes/runtime';
import { notProvided } from '../shared/effects';
import type { SettingsDesired } from './types';

interface SettingsContext {
  readonly desired: SettingsDesired;
  readonly observed: EngineProbe | null;
  readonly error: unknown;
  readonly waitMs?: number;
}

/** An engine that answers is asked again at intervals; its going away is heard of sooner. */
const REFRESH_MS = 60_000;

/** One pass over the settings: the engine is asked. That it doesn't answer is a failure only where one is needed. */
export const settingsPass = setup({
  types: { context: {} as SettingsContext, input: {} as { desired: SettingsDesired } },
  actors: {
    observe: fromPromise<EngineProbe, SettingsDesired>(notProvided),
  },
  guards: {
    isEngineNeeded: ({ context }) => context.desired.engineNeeded,
  },
  actions: {
    keepError: assign({ error: ({ event }) => (event as { error?: unknown }).error }),
    refresh: assign({ waitMs: REFRESH_MS }),
  },
}).createMachine({
  id: 'settings',
  context: ({ input }) => ({ desired: input.desired, observed: null, error: undefined }),
  initial: 'observing',
  states: {
    observing: {
      invoke: {
        src: 'observe',
        input: ({ context }) => context.desired,
        onDone: { target: 'waiting', actions: ['refresh', assign({ observed: ({ event }) => event.output })] },
        onError: [
          { guard: 'isEngineNeeded', target: 'failed', actions: 'keepError' },
          { target: 'waiting', actions: ['keepError', 'refresh'] },
        ],
      },
    },
    waiting: { type: 'final' },
    failed: { type: 'final' },
  },
});
