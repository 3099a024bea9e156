import { z } from 'zod';
import type { JsonSchema } from './json-schema';
import { isQualifiedName, KEY_RULE, labelKey, labelValue } from './labels';
import { FACT_PREFIX } from './meta';
import { objectName } from './fields';

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/ */
const MOST_ANNOTATION_BYTES = 256 * 1024;

export const metadataSchema = z
  .strictObject({
    name: objectName().describe('Name, the only one of its kind.'),
    labels: z.record(labelKey(), labelValue()).describe('Labels that selectors find it by.').exactOptional(),
    annotations: z
      .record(annotationKey(), z.string())
      .refine((all) => size(all) <= MOST_ANNOTATION_BYTES, { error: 'hold more than 256 KiB' })
      .describe('Notes for people and programs; Berth does not read them.')
      .exactOptional(),
  })
  .describe('Standard Kubernetes object metadata.');

export const METADATA_JSON_SCHEMA = z.toJSONSchema(metadataSchema, { io: 'input' }) as JsonSchema;

/** What `get -o yaml` prints beside a person's own fields: left aside, so that its output can be saved as a manifest. */
export const SERVER_FIELDS = [
  'uid',
  'generation',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'finalizers',
  'ownerReferences',
  'managedFields',
] as const;

function annotationKey() {
  return z
    .string()
    .refine(isQualifiedName, { error: KEY_RULE })
    .refine((key) => !key.startsWith(FACT_PREFIX), {
      error: `is a fact that the controller keeps; a manifest cannot set ${FACT_PREFIX}*`,
    });
}

function size(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
}
