import type * as z from 'zod';
import type { Access } from '../procedures/define.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Node = z.core.JSONSchema._JSONSchema;

/**
 * The JSON schema of an input, shorter. What costs an agent tokens and says nothing is left out: the dialect, the bounds of
 * a safe integer, the types of JSON's own keys, and patterns that a format or plain sense makes unnecessary.
 */
export function compactInputSchema(schema: JsonSchema): JsonSchema {
  return mapNodes(schema, 'all', withoutNoise);
}

/** Values that an answer's schema lists, at most. Longer lists are in the inputs, where they bind. */
const maxListed = 3;

/** What a list's answer repeats of its input. */
const repeated = new Set(['page', 'page_size']);

/**
 * The JSON schema of an answer, shorter still. An agent only reads answers, and each field in the schema is there, null
 * where unknown. So patterns, formats, lengths and lists of required fields go, "X or null" is one node, and listed values need
 * no type. Of a reading tool the answer's fields and those of its rows are described. Of a writing tool the fields are only
 * named: its answer is what a reading tool shows. Deeper objects explain themselves.
 */
export function compactOutputSchema(schema: JsonSchema, access: Access): JsonSchema {
  return mapNodes(schema, access === 'read' ? 'rows' : 'fields', (node) => {
    const { pattern: _pattern, required: _required, maxItems: _length, ...rest } = withNullInside(withoutNoise(node));
    const { format: _format, enum: values, type, description, ...others } = rest;
    const kept = { ...others, ...(access === 'read' && description !== undefined && { description }) };
    if (kept.const !== undefined) return kept;
    if (values === undefined) return type === undefined ? kept : { type, ...kept };
    if (values.length > maxListed) return { type: values.includes(null) ? ['string', 'null'] : 'string', ...kept };
    return { enum: values, ...kept };
  });
}

/** Whose fields are described: of all objects; of an answer and the rows of its lists; of the answer alone; of none. */
type Depth = 'all' | 'rows' | 'fields' | 'none';

/** Applies a change to every schema in a schema, the inner ones first. Names of properties are not keywords: they stay. */
function mapNodes(schema: JsonSchema, depth: Depth, change: (node: JsonSchema) => JsonSchema): JsonSchema {
  const within = (inner: Depth) => (node: Node) => (typeof node === 'boolean' ? node : mapNodes(node, inner, change));
  const { properties, items, anyOf, oneOf, additionalProperties, ...rest } = schema;
  return change({
    ...rest,
    ...(properties &&
      depth !== 'none' && {
        properties: Object.fromEntries(
          Object.entries(properties)
            .filter(([name]) => !('has_more' in properties && repeated.has(name)))
            .map(([name, node]) => [name, within(depthIn(node, depth))(node)]),
        ),
      }),
    ...(items !== undefined && { items: Array.isArray(items) ? items.map(within(depth)) : within(depth)(items) }),
    ...(anyOf && { anyOf: anyOf.map((node) => mapNodes(node, depth, change)) }),
    ...(oneOf && depth !== 'none' && { oneOf: oneOf.map((node) => mapNodes(node, depth, change)) }),
    ...(depth === 'all' &&
      additionalProperties !== undefined && { additionalProperties: within(depth)(additionalProperties) }),
  });
}

function depthIn(node: Node, depth: Depth): Depth {
  if (depth === 'all') return 'all';
  return depth === 'rows' && typeof node === 'object' && node.type === 'array' ? 'fields' : 'none';
}

/** Says which characters a text may have, as an id's: an agent copies ids and names, it does not make them up. */
const charactersOnly = /^\^\[[^\]]+\]\{\d+,\d+\}\$$/;

/** Formats that the schema dialects of models have in common. Some refuse a whole catalogue for another one. */
const commonFormats: ReadonlySet<string> = new Set(['date-time', 'date', 'email']);

/** Nobody asks for page 0 or for an empty name: limits below 2 are noise too. */
function withoutNoise({
  $schema: _dialect,
  propertyNames: _names,
  maximum,
  minimum,
  minLength,
  pattern,
  format,
  ...rest
}: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(format !== undefined && commonFormats.has(format) && { format }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(minimum !== undefined && minimum > 1 && { minimum }),
    ...(minLength !== undefined && minLength > 1 && { minLength }),
    // A description says it better than a pattern does.
    ...(pattern !== undefined &&
      format === undefined &&
      rest.description === undefined &&
      !charactersOnly.test(pattern) && { pattern }),
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
