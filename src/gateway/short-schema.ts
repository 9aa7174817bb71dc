import type * as z from 'zod';
import type { Access } from '../procedures/define.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Node = z.core.JSONSchema._JSONSchema;

/**
 * A JSON schema without what costs an agent tokens and tells it nothing: the dialect, the bounds of a safe integer, a
 * pattern that spells a format out, the types of JSON's own keys.
 */
export function shortInput(schema: JsonSchema): JsonSchema {
  return mapNodes(schema, withoutNoise);
}

/** Values that an answer's schema lists. */
const mostListed = 3;

/**
 * Levels of objects that an answer's schema spells out. A reading tool's: the answer and, of a list, its rows. Another's:
 * the answer, as whoever changes a thing has read it. What lies deeper explains itself.
 */
const spelledOut = { read: 2, write: 1, destructive: 1 } as const satisfies Record<Access, number>;

/**
 * For answers more: what lies deep is told by its type alone; "X or null" as one node, no type beside listed values, no
 * patterns and no lists of required fields. Those bind whoever writes a value, and an agent only reads answers: every
 * field that an answer's schema lists is there, null where unknown.
 */
export function shortOutput(schema: JsonSchema, access: Access): JsonSchema {
  return mapNodes(outline(schema, spelledOut[access]), (node) => {
    const { pattern: _pattern, required: _required, ...rest } = withNullInside(withoutNoise(node));
    const { format: _format, enum: values, type, ...told } = rest;
    if (told.const !== undefined) return told;
    if (values === undefined) return type === undefined ? told : { type, ...told };
    // Longer lists stand in the inputs, where they bind.
    if (values.length > mostListed) return { type: values.includes(null) ? ['string', 'null'] : 'string', ...told };
    return { enum: values, ...told };
  });
}

/** The schema with the properties of its outer objects, as many levels of them as given. */
function outline(schema: JsonSchema, levels: number): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties: _open, ...rest } = schema;
  const inner = properties === undefined ? levels : levels - 1;
  const into = (node: Node): Node => (typeof node === 'boolean' ? node : outline(node, inner));
  return {
    ...rest,
    ...(properties &&
      levels > 0 && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, into(node)])),
      }),
    ...(items !== undefined && { items: Array.isArray(items) ? items.map(into) : into(items) }),
    ...(anyOf && { anyOf: anyOf.map((node) => outline(node, inner)) }),
    ...(oneOf && levels > 0 && { oneOf: oneOf.map((node) => outline(node, inner)) }),
  };
}

/** Applies a change to every schema in a schema, the inner ones first. Names of properties are not keywords: they stay. */
function mapNodes(schema: JsonSchema, change: (node: JsonSchema) => JsonSchema): JsonSchema {
  const map = (node: Node): Node => (typeof node === 'boolean' ? node : mapNodes(node, change));
  const { properties, items, anyOf, oneOf, additionalProperties } = schema;
  return change({
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, map(node)])),
    }),
    ...(items !== undefined && { items: Array.isArray(items) ? items.map(map) : map(items) }),
    ...(anyOf && { anyOf: anyOf.map(mapInner) }),
    ...(oneOf && { oneOf: oneOf.map(mapInner) }),
    ...(additionalProperties !== undefined && { additionalProperties: map(additionalProperties) }),
  });

  function mapInner(node: JsonSchema): JsonSchema {
    return mapNodes(node, change);
  }
}

function withoutNoise({
  $schema: _dialect,
  propertyNames: _names,
  maximum,
  minimum,
  pattern,
  ...rest
}: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(pattern !== undefined && rest.format === undefined && { pattern }),
  };
}

/** `anyOf: [X, null]` says the same as X whose type, or whose list of values, has null in it. */
function withNullInside(schema: JsonSchema): JsonSchema {
  const { anyOf: [inner, none, ...more] = [], ...rest } = schema;
  if (inner === undefined || none?.type !== 'null' || more.length > 0) return schema;
  if (inner.enum !== undefined) return { ...inner, ...rest, enum: [...inner.enum, null] };
  return inner.type === undefined || Array.isArray(inner.type)
    ? schema
    : { ...inner, ...rest, type: [inner.type, 'null'] };
}
