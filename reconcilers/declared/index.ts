import { assign, fromPromise, setup } from 'xstate';
import { passReconciler, type KindDeps, type PassReport, type StatusDraft } from '../../controller/pass-reconciler';
import type { Reconciler } from '../../controller/reconcile';
import type { ManifestState } from '../../controller/store';
import type { ConditionDraft } from '../../crds/conditions';
import type { Key, Kind, Resource } from '../../crds/meta';
import { unsupportedYet } from '../../crds/unsupported';
import { acceptedCondition } from '../shared/accepted';
import { notProvided } from '../shared/effects';
import { isLetGo } from '../shared/missing';

/** Kinds that only others read: nothing is made for them, so their status says whether they can be used. */
export const DECLARED_KINDS = ['SandboxTemplate', 'CredentialShare', 'Agent', 'ManifestSource'] as const;
type DeclaredKind = (typeof DECLARED_KINDS)[number];

interface Desired {
  readonly key: Key;
  readonly deleting: boolean;
  readonly manifest: ManifestState | undefined;
  readonly unsupported: readonly string[];
}

/** Of these kinds, nothing has an effect in this version: what they would grant is simply not granted. */
const WITHOUT_EFFECT: ReadonlySet<Kind> = new Set(['CredentialShare', 'ManifestSource']);

const declaredPass = setup({
  types: {
    context: {} as { desired: Desired; observed: null; error: unknown },
    input: {} as { desired: Desired },
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

type Table = Readonly<Record<'Accepted' | 'Ready', readonly string[]>>;

export function declaredReconciler(kind: DeclaredKind, deps: KindDeps): Reconciler {
  const machine = declaredPass.provide({
    actors: {
      letGo: fromPromise<void, Key>(({ input }) => {
        deps.store.requestDeletion(input);
        return Promise.resolve();
      }),
    },
  });
  const desired = (object: Resource): Desired => ({
    key: { kind, name: object.metadata.name },
    deleting: object.metadata.deletionTimestamp !== undefined,
    manifest: deps.store.manifest({ kind, name: object.metadata.name }),
    unsupported: unsupportedYet(kind, object.spec),
  });
  return passReconciler({ kind, desired, machine, status }, deps);
}

function status({ desired }: PassReport<Desired, null>): StatusDraft<Table> {
  const { unsupported } = desired;
  const refused =
    unsupported.length > 0 ? { reason: 'NotSupportedYet' as const, message: unsupported.join('; ') } : undefined;
  return {
    conditions: [acceptedCondition({ ...desired, ...(refused ? { refused } : {}) }), ready(desired)],
    fields: {},
  };
}

function ready({ key, deleting, unsupported }: Desired): ConditionDraft<Table> {
  const draft = (status: 'True' | 'False', reason: string, message: string) => ({
    type: 'Ready' as const,
    status,
    reason,
    message,
  });
  if (deleting) return draft('False', 'Terminating', 'It is being deleted.');
  if (unsupported.length > 0) return draft('False', 'NotSupportedYet', `${unsupported.join('; ')}.`);
  if (WITHOUT_EFFECT.has(key.kind))
    return draft('False', 'NotSupportedYet', `A ${key.kind} has no effect in this version.`);
  return draft('True', 'Usable', 'It can be used.');
}
