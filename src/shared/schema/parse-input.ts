import type * as z from 'zod';
import { codeInvalid } from './describe-invalid.js';
import type { InvalidInput } from './invalid-field.js';

export type ParsedInput<Schema extends z.ZodObject> =
  | { readonly ok: true; readonly data: z.output<Schema> }
  | { readonly ok: false; readonly errors: readonly InvalidInput[] };

/**
 * Validates the input of a procedure. Null for an optional field means that it is absent, unless the field takes null itself:
 * clients of strict function calling send every field. An input that is valid as it is costs nothing more.
 */
export function parseInput<Schema extends z.ZodObject>(schema: Schema, input: unknown): ParsedInput<Schema> {
  const first = schema.safeParse(input);
  if (first.success) return { ok: true, data: first.data };
  const nulls = first.error.issues.map(({ path }) => path).filter((path) => valueAt(input, path) === null);
  if (nulls.length === 0) return { ok: false, errors: codeInvalid(schema, first.error) };
  const second = schema.safeParse(withoutFields(input, nulls));
  if (second.success) return { ok: true, data: second.data };
  return { ok: false, errors: codeInvalid(schema, second.error) };
}

type Path = readonly PropertyKey[];

function valueAt(value: unknown, path: Path): unknown {
  if (path.length === 0) return undefined;
  return path.reduce<unknown>((inside, key) => (isContainer(inside) ? Reflect.get(inside, key) : undefined), value);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A copy without these fields of objects. A null in a list stays: to leave it out would move the others. */
function withoutFields(value: unknown, paths: readonly Path[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const path of paths) {
    const holder = path.length === 1 ? copy : valueAt(copy, path.slice(0, -1));
    const name = path.at(-1);
    if (isContainer(holder) && !Array.isArray(holder) && name !== undefined) Reflect.deleteProperty(holder, name);
  }
  return copy;
}
