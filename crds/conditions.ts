export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** A Kubernetes status condition. All of Berth's types are positive: True is always the good answer. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  /** One sentence for a person; the same problem always gives the same bytes (no times, no counters). */
  readonly message: string;
  /** Changes only when `status` does. RFC 3339. */
  readonly lastTransitionTime: string;
  readonly observedGeneration: number;
}

/** What a kind's `conditions.ts` computes: the writer adds the times. */
export interface ConditionDraft<
  Table extends ConditionTable,
  Type extends keyof Table & string = keyof Table & string,
> {
  readonly type: Type;
  readonly status: ConditionStatus;
  readonly reason: Table[Type][number];
  readonly message: string;
}

/** Condition type → the reasons it may carry. One literal per kind: a reason outside it does not compile. */
export type ConditionTable = Readonly<Record<string, readonly string[]>>;

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}
