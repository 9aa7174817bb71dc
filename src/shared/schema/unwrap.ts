import * as z from 'zod';

/** The schema inside `.optional()`, `.default()` and `.nullable()`. */
export function unwrap(schema: unknown): unknown {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return wrapped ? unwrap(schema.unwrap()) : schema;
}

/** The keys of an object that has no others than its type says, as a literal does. In its order. */
export function keysOf<Table extends object>(table: Table): Array<Extract<keyof Table, string>> {
  const keys: Array<Extract<keyof Table, string>> = [];
  for (const key in table) keys.push(key);
  return keys;
}
