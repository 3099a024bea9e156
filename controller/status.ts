import { findCondition, type Condition, type ConditionDraft, type ConditionTable } from '../crds/conditions';
import type { Key, Resource } from '../crds/meta';
import { timestamp, type Clock } from './clock';
import type { StoreReader, StoreWriter } from './store';

/** What a kind's `conditions.ts` computes: everything of the status but the times. */
export interface StatusDraft<Table extends ConditionTable> {
  readonly conditions: readonly ConditionDraft<Table>[];
  readonly fields: object;
}

/**
 * The one writer of status, once a pass. Keeps a condition's `lastTransitionTime` while its status stays the same, and
 * writes nothing when nothing differs.
 */
export function writeStatus<Table extends ConditionTable>(
  key: Key,
  draft: StatusDraft<Table>,
  { store, clock, generation }: { store: StoreReader & StoreWriter; clock: Clock; generation: number },
): void {
  const object = store.get(key);
  if (!object) return;
  const before = conditionsOf(object);
  const conditions = draft.conditions.map((condition): Condition => {
    const standing = findCondition(before, condition.type);
    const unchanged = standing?.status === condition.status;
    return {
      ...condition,
      lastTransitionTime: unchanged ? standing.lastTransitionTime : timestamp(clock),
      observedGeneration: generation,
    };
  });
  store.writeStatus(key, { observedGeneration: generation, conditions, ...draft.fields });
}

export function conditionsOf(object: Resource): readonly Condition[] {
  return (object.status as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
}
