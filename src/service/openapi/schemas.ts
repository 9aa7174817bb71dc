import * as z from 'zod';

export type JsonSchema = z.core.JSONSchema.JSONSchema;
type Node = z.core.JSONSchema._JSONSchema;

/** The JSON schema (2020-12) of what travels, before a codec decodes it. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  return tidy(z.toJSONSchema(schema, { io: 'input' }));
}

/**
 * Leaves out what says nothing: the dialect, which OpenAPI 3.1 has by itself, the bounds of a safe integer, the type of JSON's own
 * keys, and patterns that a format names.
 */
function tidy({
  $schema: _dialect,
  propertyNames: _names,
  pattern,
  maximum,
  minimum,
  ...rest
}: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties, ...plain } = rest;
  return {
    ...plain,
    ...(pattern !== undefined && plain.format === undefined && { pattern }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, tidyNode(node)])),
    }),
    ...(items !== undefined && { items: Array.isArray(items) ? items.map(tidyNode) : tidyNode(items) }),
    ...(anyOf && { anyOf: anyOf.map(tidy) }),
    ...(oneOf && { oneOf: oneOf.map(tidy) }),
    ...(additionalProperties !== undefined && { additionalProperties: tidyNode(additionalProperties) }),
  };
}

function tidyNode(node: Node): Node {
  return typeof node === 'boolean' ? node : tidy(node);
}
