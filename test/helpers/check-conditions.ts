import type { Condition } from '../../crds/conditions';
import type { Resource } from '../../crds/meta';
import { kindDefinition } from '../../crds/registry';

/** Rules that every object's status keeps at rest, whatever happened to it: a linter for conditions. */
export function checkConditions(object: Resource): void {
  const status = object.status as { conditions?: readonly Condition[]; observedGeneration?: number } | undefined;
  if (!status) return;
  const conditions = status.conditions ?? [];
  const table = kindDefinition(object.kind).conditions;
  const wrong = [
    ...missing(conditions, Object.keys(table)),
    ...conditions.flatMap((condition) => wrongIn(condition, table[condition.type] ?? [], object)),
  ];
  if (wrong.length > 0) throw new Error(`${object.kind}/${object.metadata.name}: ${wrong.join('; ')}`);
}

function missing(conditions: readonly Condition[], types: readonly string[]): string[] {
  const present = conditions.map(({ type }) => type);
  const repeated = present.filter((type, index) => present.indexOf(type) !== index);
  return [
    ...types.filter((type) => !present.includes(type)).map((type) => `${type} is absent`),
    ...present.filter((type) => !types.includes(type)).map((type) => `${type} is not of this kind`),
    ...repeated.map((type) => `${type} stands twice`),
  ];
}

function wrongIn(condition: Condition, reasons: readonly string[], { metadata }: Resource): string[] {
  const { type, status, reason, message, lastTransitionTime, observedGeneration } = condition;
  return [
    ...(reasons.includes(reason) ? [] : [`${type} has the reason ${reason}, which its table lacks`]),
    ...(message.trim() === '' ? [`${type} says nothing`] : []),
    ...(message.includes('undefined') || message.includes('[object') ? [`${type} says ${message}`] : []),
    ...(Number.isNaN(Date.parse(lastTransitionTime)) ? [`${type} changed at no time`] : []),
    ...(observedGeneration > metadata.generation ? [`${type} is of a generation to come`] : []),
    ...(type === 'Ready' && status === 'True' && observedGeneration !== metadata.generation ? ['Ready is old'] : []),
  ];
}
