import * as z from 'zod';
import { documented, type Side } from './documented.js';

/** The name of a type that is written once, for an object that several types have; undefined where it is written in place. */
export type NameOf = (schema: z.ZodObject) => string | undefined;

/** The TypeScript of a schema, as tRPC's clients see it: a timestamp of an answer is a `Date`, one of an input also a text. */
function schemaType(schema: z.core.$ZodType, side: Side, nameOf: NameOf): string {
  const inner = (each: z.core.$ZodType) => schemaType(each, side, nameOf);
  if (schema instanceof z.core.$ZodString) return 'string';
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodUnknown) return 'unknown';
  if (schema instanceof z.ZodEnum) return oneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return oneOf([...schema.values]);
  if (schema instanceof z.ZodNullable) return `${inner(schema.unwrap())} | null`;
  if (schema instanceof z.ZodOptional) return `${inner(schema.unwrap())} | undefined`;
  if (schema instanceof z.ZodDefault) return `${inner(schema.unwrap())}${side === 'input' ? ' | undefined' : ''}`;
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.map(inner))].join(' | ');
  if (schema instanceof z.ZodArray)
    return `${schema.element instanceof z.ZodObject ? inner(schema.element) : inParentheses(inner(schema.element))}[]`;
  if (schema instanceof z.ZodRecord) return `Record<${inner(schema.keyType)}, ${inner(schema.valueType)}>`;
  if (schema instanceof z.ZodCodec && schema.out instanceof z.ZodDate)
    return side === 'input' ? 'Date | string' : 'Date';
  if (schema instanceof z.ZodObject) return nameOf(schema) ?? objectType(schema, side, nameOf);
  throw new Error(`no TypeScript is known of a schema of the type ${schema._zod.def.type}`);
}

function inParentheses(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

/** An object, field by field, each with what its definition says of it. */
export function objectType(schema: z.ZodObject, side: Side, nameOf: NameOf): string {
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const isOptional = field instanceof z.ZodOptional || (side === 'input' && field instanceof z.ZodDefault);
    return `${documented(field, side)}${key(name)}${isOptional ? '?' : ''}: ${schemaType(field, side, nameOf)};`;
  });
  // zod has no object without any field: it takes all keys to be forbidden.
  if (fields.length === 0) return 'Record<string, never>';
  const others = schema.def.catchall instanceof z.ZodUnknown ? ['[key: string]: unknown;'] : [];
  return `{\n${indented([...fields, ...others].join('\n'))}\n}`;
}

export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/** A union of literals. */
export function oneOf(values: readonly unknown[]): string {
  return values
    .map((value) => (typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value)))
    .join(' | ');
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : oneOf([name]);
}
