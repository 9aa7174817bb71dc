import * as z from 'zod';
import { outside } from '../../procedures/wire.js';

/** The paths of the texts in an answer that outsiders wrote, as `items.title`: an element of a list has its list's path. */
export function outsideFields(schema: z.ZodType): string[] {
  return [...new Set(fieldsIn(schema, []))];
}

function fieldsIn(schema: unknown, path: readonly string[]): string[] {
  if (schema instanceof z.ZodType && outside.get(schema) !== undefined) return [path.join('.')];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return fieldsIn(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return fieldsIn(schema.element, path);
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.flatMap((option) => fieldsIn(option, path));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => fieldsIn(field, [...path, name]));
}
