import { stringify } from 'yaml';
import type { JsonSchema } from '../../crds/json-schema';
import { specJsonSchema } from '../../crds/json-schema';
import { API_GROUP, API_VERSION } from '../../crds/meta';
import type { KindDefinition } from '../../crds/registry';
import { GENERATED_BY } from './names';
import { transform, without } from './transform';

/** A Kubernetes CustomResourceDefinition whose schema is structural. */
export function customResourceDefinition(definition: KindDefinition): string {
  const { kind, plural, singular, shortNames, categories } = definition;
  const document = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${API_GROUP}` },
    spec: {
      group: API_GROUP,
      scope: 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames, categories },
      versions: [version(definition)],
    },
  };
  return `# ${GENERATED_BY}\n${stringify(document, { lineWidth: 120, aliasDuplicateObjects: false })}`;
}

function version({ kind }: KindDefinition) {
  const spec = transform(specJsonSchema(kind), structural);
  return {
    name: API_VERSION.slice(API_GROUP.length + 1),
    served: true,
    storage: true,
    subresources: { status: {} },
    additionalPrinterColumns: [
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    schema: {
      openAPIV3Schema: {
        type: 'object',
        required: ['spec'],
        properties: {
          spec: without(spec, ['$schema']),
          status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  };
}

const LARGEST_SAFE = Number.MAX_SAFE_INTEGER;

/**
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 * Closed objects are the server's business there (it prunes), names of map keys cannot be bounded, and a field that
 * takes a number or a word has no type of its own.
 */
function structural(schema: JsonSchema): JsonSchema {
  const kept = without(schema, ['builtInDefault', 'propertyNames', ...bounds(schema)]);
  const closed = kept.additionalProperties === false ? without(kept, ['additionalProperties']) : kept;
  if (closed['x-kubernetes-preserve-unknown-fields'] === true) {
    return { ...without(closed, ['anyOf', 'type']), nullable: true };
  }
  if (closed['x-kubernetes-int-or-string'] !== true) return closed;
  return { ...closed, anyOf: [{ type: 'integer' }, { type: 'string' }], nullable: true };
}

/** Bounds that only say what a JavaScript number can hold. */
function bounds({ minimum, maximum }: JsonSchema): readonly string[] {
  return [...(minimum === -LARGEST_SAFE ? ['minimum'] : []), ...(maximum === LARGEST_SAFE ? ['maximum'] : [])];
}
