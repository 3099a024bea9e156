import { assign, fromPromise, setup } from 'xstate';
import { notProvided } from '../shared/effects';
import { isLetGo } from '../shared/missing';
import type { ProjectDesired, ProjectObserved } from './types';

interface ProjectContext {
  readonly desired: ProjectDesired;
  readonly observed: ProjectObserved | null;
  readonly error: unknown;
  readonly waitMs?: number;
}

/** A path that isn't usable may become so without any event that we would hear. */
const LOOK_AGAIN_MS = 2_000;

/** A usable one may stop being so; its git facts change with every checkout. */
const REFRESH_MS = 10_000;

/** One pass over a project: it is looked at, and let go when its manifest has gone and nothing uses it. */
export const projectPass = setup({
  types: { context: {} as ProjectContext, input: {} as { desired: ProjectDesired } },
  actors: {
    observe: fromPromise<ProjectObserved, ProjectDesired>(notProvided),
    letGo: fromPromise<void, ProjectDesired>(notProvided),
  },
  guards: {
    mustLetGo: ({ context: { desired } }) => isLetGo(desired.manifest, !desired.prune && desired.mountedIn.length > 0),
    isUsable: ({ context: { observed } }) => observed?.directory.usable === true,
  },
  actions: {
    keepError: assign({ error: ({ event }) => (event as { error?: unknown }).error }),
    lookAgain: assign({ waitMs: LOOK_AGAIN_MS }),
    refresh: assign({ waitMs: REFRESH_MS }),
  },
}).createMachine({
  id: 'project',
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
        { guard: 'mustLetGo', target: 'lettingGo' },
        { guard: 'isUsable', target: 'waiting', actions: 'refresh' },
        { target: 'waiting', actions: 'lookAgain' },
      ],
    },
    lettingGo: {
      invoke: {
        src: 'letGo',
        input: ({ context }) => context.desired,
        onDone: 'acted',
        onError: { target: 'failed', actions: 'keepError' },
      },
    },
    acted: { type: 'final' },
    waiting: { type: 'final' },
    failed: { type: 'final' },
  },
});
