import * as z from 'zod';
import { isRecord } from '../../shared/json/is-record.js';

/**
 * Schemas for the parts of a row that it can do without. Scanners write an absent value as null or not at all, and some write
 * it in another type; a row is not lost for that. They are functions, not `catch`: most parts are absent, and to build an error
 * for each would take three times as long as all the rest.
 */
function read<Output>(reader: (value: unknown) => Output) {
  return z.unknown().optional().transform(reader);
}

/** A text; a number or boolean is written out. Null for anything else. */
export const text = read((value): string | null => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
});

/** The same; `` for anything else. */
export const textOrEmpty = text.transform((value) => value ?? '');

/** A text that a row cannot do without. */
export const requiredText = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().refine((value) => value.trim() !== '', 'must not be blank'),
);

/** A whole number from 0, also as text; null for anything else. */
export const count = read((value): number | null => {
  if (typeof value === 'string') return /^\d{1,9}$/.test(value) ? Number(value) : null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
});

/** The elements of a list that can be read; none for anything but a list. */
export function listOf<Schema extends z.ZodType>(schema: Schema) {
  return read((list): z.output<Schema>[] =>
    (Array.isArray(list) ? list : []).flatMap((each) => {
      const parsed = schema.safeParse(each);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

/** The members of an object that can be read; none for anything but an object. */
export function recordOf<Schema extends z.ZodType>(schema: Schema) {
  return read((record): Record<string, z.output<Schema>> => {
    const members = Object.entries(isRecord(record) ? record : {});
    const parsed = members.map(([key, value]) => [key, schema.safeParse(value)] as const);
    return Object.fromEntries(parsed.flatMap(([key, { success, data }]) => (success ? [[key, data]] : [])));
  });
}

/** What a schema reads; null where it is absent or cannot be read. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return read((value): z.output<Schema> | null =>
    value === null || value === undefined ? null : (schema.safeParse(value).data ?? null),
  );
}
