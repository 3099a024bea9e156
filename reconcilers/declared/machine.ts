import { assign, fromPromise, setup } from 'xstate';
import type { ManifestState } from '../../controller/store';
import type { Key } from '../../crds/meta';
import { notProvided } from '../shared/effects';
import { isLetGo } from '../shared/missing';

export interface DeclaredDesired {
  readonly key: Key;
  readonly deleting: boolean;
  readonly manifest: ManifestState | undefined;
  readonly unsupported: readonly string[];
}

/** One pass over what others only read: there is nothing to observe, and it is let go when its manifest has gone. */
export const declaredPass = setup({
  types: {
    context: {} as { desired: DeclaredDesired; observed: null; error: unknown },
    input: {} as { desired: DeclaredDesired },
  },
  actors: {
    letGo: fromPromise<void, Key>(notProvided),
  },
  guards: {
    mustLetGo: ({ context }) => isLetGo(context.desired.manifest, false),
  },
  actions: {
    keepError: assign({ error: ({ event }) => (event as { error?: unknown }).error }),
  },
}).createMachine({
  id: 'declared',
  context: ({ input }) => ({ desired: input.desired, observed: null, error: undefined }),
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'mustLetGo', target: 'lettingGo' }, { target: 'settled' }] },
    lettingGo: {
      invoke: {
        src: 'letGo',
        input: ({ context }) => context.desired.key,
        onDone: 'acted',
        onError: { target: 'failed', actions: 'keepError' },
      },
    },
    acted: { type: 'final' },
    settled: { type: 'final' },
    failed: { type: 'final' },
  },
});
