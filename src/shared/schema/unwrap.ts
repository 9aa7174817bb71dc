import * as z from 'zod';

/** The schema inside `.optional()`, `.default()` and `.nullable()`. */
export function unwrap(schema: unknown): unknown {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return wrapped ? unwrap(schema.unwrap()) : schema;
}
