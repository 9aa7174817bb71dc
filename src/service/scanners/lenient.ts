import * as z from 'zod';

/**
 * Schemas for the parts of a row that it can do without. Scanners write an absent value as null or not at all, and some write
 * it in another type; a row is not lost for that.
 */

/** A text; a number or boolean is written out. Null for anything else. */
export const text = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
  .nullable()
  .catch(null);

/** The same; `` for anything else. */
export const textOrEmpty = text.transform((value) => value ?? '');

/** A text that a row cannot do without. */
export const requiredText = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().refine((value) => value.trim() !== '', 'must not be blank'),
);

/** A whole number from 0, also as text; null for anything else. */
export const count = z
  .union([
    z.int().min(0),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .nullable()
  .catch(null);

/** The elements of a list that can be read; none for anything but a list. */
export function listOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((list): z.output<Schema>[] =>
      list.flatMap((each) => {
        const parsed = schema.safeParse(each);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}

/** The members of an object that can be read; none for anything but an object. */
export function recordOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .record(z.string(), z.unknown())
    .catch({})
    .transform((record): Record<string, z.output<Schema>> => {
      const members = Object.entries(record).map(([key, value]) => [key, schema.safeParse(value)] as const);
      return Object.fromEntries(members.flatMap(([key, { data }]) => (data === undefined ? [] : [[key, data]])));
    });
}

/** An object; null where it is absent or cannot be read. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null);
}
