import type * as z from 'zod';
import type { Access } from '../../procedures/define.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Node = z.core.JSONSchema._JSONSchema;

/** These fields of a list's answer repeat its input, or are for programs alone. */
const repeated = new Set(['page', 'page_size', 'cursors']);

/** What the next call needs of the answer to a change: ids and the revision. */
const handle = /^(id|\w+_id|revision)$/;

/**
 * The JSON schema of an answer, short: programs that check answers or make types of them read it, and few models see it. Each
 * field that is always there is required. One that may be null has no type, for dialects write that in different ways.
 *
 * Of a reading tool it has the answer's fields, and those of the rows where the answer begins with a list; deeper objects explain
 * themselves. Of a writing tool it has what the next call needs, where the answer has that: the rest is what a reading tool shows.
 */
export function publishedOutput(schema: JsonSchema, access: Access): JsonSchema {
  const names = Object.keys(schema.properties ?? {});
  const handles = access === 'read' ? [] : names.filter((name) => handle.test(name));
  const published = objectOf(schema, handles.length > 0 ? handles : names);
  const [first = ''] = names;
  const row = rowOf(schema.properties?.[first]);
  if (access !== 'read' || row === undefined) return published;
  const rows = { type: 'array' as const, items: objectOf(row, Object.keys(row.properties ?? {})) };
  return { ...published, properties: { ...published.properties, [first]: rows } };
}

function objectOf({ properties = {}, required = [] }: JsonSchema, names: readonly string[]): JsonSchema {
  const shown = names.filter((name) => !('has_more' in properties && repeated.has(name)));
  const always = shown.filter((name) => required.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((name) => [name, fieldOf(properties[name] ?? {})])),
    ...(always.length > 0 && { required: always }),
  };
}

/** The objects in a list, if a node is a list of objects. */
function rowOf(node: Node | undefined): JsonSchema | undefined {
  const items = typeof node === 'object' ? node.items : undefined;
  return typeof items !== 'object' || Array.isArray(items) || items.properties === undefined ? undefined : items;
}

function fieldOf(node: Node): JsonSchema {
  const type = typeOf(node);
  if (type === undefined || typeof node === 'boolean') return {};
  return node.items === undefined || Array.isArray(node.items) ? { type } : { type, items: fieldOf(node.items) };
}

/** A node's one type. Of a union, the type that its members share. */
function typeOf(node: Node): Exclude<JsonSchema['type'], undefined> | undefined {
  if (typeof node === 'boolean' || Array.isArray(node.type)) return undefined;
  const [first, ...others] = (node.anyOf ?? node.oneOf ?? []).map(typeOf);
  return first === undefined || others.some((type) => type !== first) ? node.type : first;
}
