import * as z from 'zod';
import { unwrap } from '../shared/schema/unwrap.js';

/** The part of a field path (`packages.3.version`) that the schema knows, or null: the rest is text from outside. */
export function knownFields(input: z.ZodObject, path: string): string | null {
  if (path === '') return path;
  const known: string[] = [];
  let schema: unknown = input;
  for (const name of path.split('.')) {
    const next = step(unwrap(schema), name);
    if (next === undefined) break;
    known.push(name);
    schema = next;
  }
  return known.length === 0 ? null : known.join('.');
}

function step(schema: unknown, name: string): unknown {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  if (schema instanceof z.ZodArray) return /^\d{1,6}$/.test(name) ? schema.element : undefined;
  return undefined;
}
