import type { JsonSchema } from '../../crds/json-schema';

/** A JSON Schema with every schema in it replaced, the inner ones first. */
export function transform(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  const inner = (each: JsonSchema): JsonSchema => transform(each, change);
  return change({
    ...schema,
    ...(properties && { properties: mapValues(properties, inner) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inner(additionalProperties) }),
  });
}

export function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

function mapValues<Value>(record: Readonly<Record<string, Value>>, change: (value: Value) => Value) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
