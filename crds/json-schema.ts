import { z } from 'zod';
import type { Kind } from './meta';
import { kindDefinition } from './registry';

/** The part of JSON Schema that the kinds' schemas come out as. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly builtInDefault?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly [keyword: string]: unknown;
}

const cache = new Map<Kind, JsonSchema>();

/** JSON Schema of a kind's `spec`, as people write it: what has a default may be left out. */
export function specJsonSchema(kind: Kind): JsonSchema {
  const known = cache.get(kind);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(kindDefinition(kind).schema, { io: 'input' }) as JsonSchema;
  cache.set(kind, schema);
  return schema;
}

/** The schema at a path below `schema`; undefined where it leads out. */
export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const part of path) {
    if (at === undefined) break;
    at = typeof part === 'number' ? at.items : at.properties?.[String(part)];
  }
  return at;
}

/** The dotted paths of all fields with this name, such as `limits.memory`. */
export function pathsNamed(schema: JsonSchema, name: string, prefix = ''): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const path = `${prefix}${key}`;
    const here = key === name ? [path] : [];
    return [...here, ...pathsNamed(child, name, `${path}.`), ...pathsNamed(child.items ?? {}, name, `${path}[].`)];
  });
}
