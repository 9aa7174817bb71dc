import type * as z from 'zod';
import { forPrograms } from '../../procedures/wire.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Node = z.core.JSONSchema._JSONSchema;

/**
 * The JSON schema of an input as tools/list shows it. Each model takes another part of JSON Schema, and some refuse a whole
 * catalogue for one keyword that they do not know. So only what all of them take is in it: one type, fields, listed values and
 * descriptions. Defaults and upper bounds become words. The server still checks everything, and its refusals say what is wrong.
 * Fields that only programs fill in (`forPrograms`) are left out: a model would pay for their description in every session.
 * Throws for a schema of which that would say something false.
 */
export function publishedInput(schema: JsonSchema): JsonSchema {
  const one = withoutUnion(schema);
  const { properties, required, additionalProperties, items, enum: values } = one;
  const type = typeOf(one);
  const description = wordsOf({ ...one, ...schema });
  return {
    type,
    ...(values && { enum: values }),
    ...(description !== '' && { description }),
    ...(items !== undefined && { items: publishedNode(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).flatMap(([name, node]) =>
          isForPrograms(node) ? [] : [[name, publishedNode(withoutSizes(name, node))] as const],
        ),
      ),
    }),
    ...(required && { required }),
    ...(additionalProperties === false && { additionalProperties }),
  };
}

/** Agents are not told how long a page is, or may be: it is in every list, and an answer says whether there is more. */
function withoutSizes(name: string, node: Node | Node[]): Node | Node[] {
  if (name !== 'page_size' || typeof node === 'boolean' || Array.isArray(node)) return node;
  const { default: _usual, maximum: _most, ...rest } = node;
  return rest;
}

function isForPrograms(node: Node | Node[]): boolean {
  return Object.keys(forPrograms).some((key) => Object.hasOwn(Object(node), key));
}

function publishedNode(node: Node | Node[]): JsonSchema {
  if (typeof node === 'boolean' || Array.isArray(node)) throw new Error('an input without a type');
  return publishedInput(node);
}

/**
 * A union as its first member. What null does is in the description: some dialects know no null, and the others have no word for
 * it in common. The other members must be of the same type, as a date is beside a date-time.
 */
function withoutUnion(schema: JsonSchema): JsonSchema {
  if (schema.anyOf === undefined) return schema;
  const members = schema.anyOf.map(withoutUnion).filter(({ type }) => type !== 'null');
  const [first] = members;
  if (first === undefined || members.some((member) => typeOf(member) !== typeOf(first)))
    throw new Error('an input of several types');
  return first;
}

function typeOf({ type }: JsonSchema): NonNullable<JsonSchema['type']> {
  const types = [type].flat().filter((each) => each !== 'null');
  const [one] = types;
  if (one === undefined || types.length > 1) throw new Error(`an input of ${types.length} types`);
  return one;
}

/** The description, with the bounds and the default. Nobody needs to be told that a switch is off and that pages begin at 1. */
function wordsOf({ description, maximum, default: usual }: JsonSchema): string {
  const isBound = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  const parts = [
    description,
    isBound && `max ${maximum}`,
    usual !== undefined &&
      usual !== false &&
      usual !== 1 &&
      `default ${Array.isArray(usual) ? usual.join(', ') : usual}`,
  ];
  return parts.filter((part) => typeof part === 'string').join(', ');
}
