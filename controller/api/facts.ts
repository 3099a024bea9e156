import { RESTARTED_AT, type Kind } from '../../crds/meta';
import { printable } from '../../crds/text';
import type { Cause } from './errors';

export type Facts = Readonly<Record<string, string | null>>;

/** What people may set, of which kinds, and what is wrong with a value. */
interface FactRule {
  readonly kinds: readonly Kind[];
  readonly problem: (value: string, now: number) => string | undefined;
}

const SETTABLE: Readonly<Record<string, FactRule>> = {
  [RESTARTED_AT]: { kinds: ['Sandbox', 'Session'], problem: timeProblem },
};

/** For messages: all that can be set. */
export const SETTABLE_FACTS = `only the annotation ${Object.entries(SETTABLE)
  .map(([key, { kinds }]) => `${key} of a ${kinds.join(' or ')}`)
  .join(', ')} can be set here`;

/** What is wrong with setting these; a fact that is null is removed. `forbidden` tells why another key can't be set. */
export function factCauses(
  facts: Facts,
  { kind, now, forbidden }: { kind: Kind; now: number; forbidden: string },
): Cause[] {
  return Object.entries(facts).flatMap(([key, value]): Cause[] => {
    const field = `metadata.annotations[${printable(key)}]`;
    const rule = Object.hasOwn(SETTABLE, key) ? SETTABLE[key] : undefined;
    if (!rule?.kinds.includes(kind))
      return [{ reason: 'FieldValueForbidden', field, message: `Forbidden: ${forbidden}` }];
    const problem = value === null ? undefined : rule.problem(value, now);
    if (problem === undefined || value === null) return [];
    return [{ reason: 'FieldValueInvalid', field, message: `Invalid value: "${printable(value)}": ${problem}` }];
  });
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** How far the clock of who asks may be ahead. */
const AHEAD_MS = 60_000;

/** A request of a time to come would hide every one that is made until then. */
function timeProblem(value: string, now: number): string | undefined {
  const time = RFC_3339.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) return 'must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z';
  return time > now + AHEAD_MS ? 'must not lie in the future' : undefined;
}
