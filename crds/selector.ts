import { z } from 'zod';
import { labelKey, labelValue } from './labels';

const requirement = z
  .strictObject({
    key: labelKey().describe('Label the requirement is about.'),
    operator: z
      .enum(['In', 'NotIn', 'Exists', 'DoesNotExist'])
      .describe('How the label is compared: with the values, or for being there at all.'),
    values: z.array(labelValue()).describe('Values to compare with; for In and NotIn only.').exactOptional(),
  })
  .refine((rule) => (rule.values?.length ?? 0) > 0 === (rule.operator === 'In' || rule.operator === 'NotIn'), {
    error: 'needs values for In and NotIn, and none for Exists and DoesNotExist',
    path: ['values'],
  })
  .describe('One requirement that an object must meet.');

/** Objects by their labels. An empty selector is refused: it would take in objects that nobody named. */
export function labelSelector(description: string) {
  return z
    .strictObject({
      matchLabels: z
        .record(labelKey(), labelValue())
        .describe('Labels that an object must have, with these values.')
        .exactOptional(),
      matchExpressions: z.array(requirement).describe('Further requirements; all must be met.').exactOptional(),
    })
    .refine((selector) => requirements(selector) > 0, { error: 'selects nothing; give a label to match' })
    .describe(description);
}

export type LabelSelector = z.infer<ReturnType<typeof labelSelector>>;

/** Whether an object with these labels is meant. */
export function matchesSelector(selector: LabelSelector, labels: Readonly<Record<string, string>> = {}): boolean {
  const byLabel = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labelOf(labels, key) === value);
  return byLabel && (selector.matchExpressions ?? []).every((rule) => meets(rule, labelOf(labels, rule.key)));
}

function meets(rule: z.infer<typeof requirement>, value: string | undefined): boolean {
  switch (rule.operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && (rule.values ?? []).includes(value);
    case 'NotIn':
      return value === undefined || !(rule.values ?? []).includes(value);
  }
}

function labelOf(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function requirements(selector: { matchLabels?: object; matchExpressions?: readonly unknown[] }): number {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length;
}
