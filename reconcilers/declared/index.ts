import { fromPromise } from 'xstate';
import { passReconciler, type KindDeps, type PassReport, type StatusDraft } from '../../controller/pass-reconciler';
import type { Reconciler } from '../../controller/reconcile';
import type { ConditionDraft } from '../../crds/conditions';
import type { Key, Kind, Resource } from '../../crds/meta';
import { unsupportedYet } from '../../crds/unsupported';
import { acceptedCondition } from '../shared/accepted';
import { declaredPass, type DeclaredDesired } from './machine';

/** Kinds that only others read: nothing is made for them, so their status says whether they can be used. */
export const DECLARED_KINDS = ['SandboxTemplate', 'CredentialShare', 'Agent', 'ManifestSource'] as const;
type DeclaredKind = (typeof DECLARED_KINDS)[number];

/** Of these kinds, nothing has an effect in this version: what they would grant is simply not granted. */
const WITHOUT_EFFECT: ReadonlySet<Kind> = new Set(['CredentialShare', 'ManifestSource']);

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
  const desired = (object: Resource): DeclaredDesired => ({
    key: { kind, name: object.metadata.name },
    deleting: object.metadata.deletionTimestamp !== undefined,
    manifest: deps.store.manifest({ kind, name: object.metadata.name }),
    unsupported: unsupportedYet(kind, object.spec),
  });
  return passReconciler({ kind, desired, machine, status }, deps);
}

function status({ desired }: PassReport<DeclaredDesired, null>): StatusDraft<Table> {
  const { unsupported } = desired;
  const refused =
    unsupported.length > 0 ? { reason: 'NotSupportedYet' as const, message: unsupported.join('; ') } : undefined;
  return {
    conditions: [acceptedCondition({ ...desired, ...(refused ? { refused } : {}) }), ready(desired)],
    fields: {},
  };
}

function ready({ key, deleting, unsupported }: DeclaredDesired): ConditionDraft<Table> {
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
