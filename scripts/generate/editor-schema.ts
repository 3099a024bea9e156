import type { JsonSchema } from '../../crds/json-schema';
import { specJsonSchema } from '../../crds/json-schema';
import type { Kind } from '../../crds/meta';
import { API_VERSION, KINDS } from '../../crds/meta';
import { METADATA_JSON_SCHEMA } from '../../crds/metadata';
import { fileName, GENERATED_BY } from './names';
import { transform, without } from './transform';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema of a whole document of one kind, for editors that check YAML. */
export function editorSchema(kind: Kind): JsonSchema {
  const spec = transform(specJsonSchema(kind), forEditors);
  return {
    $schema: DIALECT,
    $comment: GENERATED_BY,
    title: kind,
    description: spec.description ?? kind,
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    additionalProperties: false,
    properties: {
      apiVersion: { const: API_VERSION, description: 'Version of the fields below.' },
      kind: { const: kind, description: 'What the document declares.' },
      metadata: without(METADATA_JSON_SCHEMA, ['$schema']),
      spec: without(spec, ['$schema']),
      status: { type: 'object', description: 'Written by the controller; left aside in a manifest.' },
    },
  };
}

/** One schema for a file that holds documents of any kind: the kind decides which of the others counts. */
export function manifestSchema(): JsonSchema {
  return {
    $schema: DIALECT,
    $comment: GENERATED_BY,
    title: 'Berth manifest',
    type: 'object',
    required: ['apiVersion', 'kind'],
    properties: { kind: { enum: KINDS } },
    allOf: KINDS.map((kind) => ({
      if: { properties: { kind: { const: kind } } },
      then: { $ref: `${fileName(kind)}.schema.json` },
    })),
  };
}

/** Standard keywords only; a default that comes from elsewhere is still what an editor should show. */
function forEditors(schema: JsonSchema): JsonSchema {
  const { builtInDefault } = schema;
  const standard = Object.keys(schema).filter((keyword) => keyword.startsWith('x-kubernetes-'));
  const mayBeEmpty = schema.nullable === true || standard.length > 0;
  const kept = without(schema, [...standard, 'builtInDefault', 'nullable']);
  return {
    ...kept,
    ...(builtInDefault === undefined ? {} : { default: builtInDefault }),
    ...(mayBeEmpty && typeof kept.type === 'string' ? { type: [kept.type, 'null'] as unknown as string } : {}),
    ...(mayBeEmpty && kept.anyOf ? { anyOf: [...kept.anyOf, { type: 'null' }] } : {}),
  };
}
