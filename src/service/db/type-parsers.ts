import { type CustomTypesConfig, types } from 'pg';

type Parse = (text: string) => unknown;

/** Object identifiers of array types, which pg-types has no names for. */
const arrays = { text: 1009, int8: 1016, date: 1182 };
const texts: (text: string) => (string | null)[] = types.getTypeParser(arrays.text, 'text');

/** A bigint as a number; an identifier or sum beyond 2^53 must not lose digits silently. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database answered ${text}, which a number cannot hold exactly.`);
  return value;
}

const own = new Map<number, Parse>([
  // A calendar day has no time zone: as a Date it would move with the server's.
  [types.builtins.DATE, (text) => text],
  [arrays.date, texts],
  [types.builtins.INT8, safeInteger],
  [arrays.int8, (text) => texts(text).map((entry) => (entry === null ? null : safeInteger(entry)))],
]);

/** How values come out of the database: days as text, counts as numbers, moments as `Date`, the rest as `pg` has it. */
export const typeParsers: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parse = format === 'binary' ? undefined : own.get(oid);
    return parse ?? types.getTypeParser(oid, format);
  },
};
