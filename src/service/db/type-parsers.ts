import { type CustomTypesConfig, types } from 'pg';

type Parse = (text: string) => unknown;

/** Object identifiers of array types, for which pg-types has no names. */
const arrays = { text: 1009, int8: 1016, date: 1182 };
const texts: (text: string) => (string | null)[] = types.getTypeParser(arrays.text, 'text');

/** A bigint as a number. Throws beyond 2^53, where digits would be lost silently. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database answered ${text}, which a number cannot hold exactly.`);
  return value;
}

const parsers = new Map<number, Parse>([
  // A calendar day has no time zone. As a Date it would shift with the server's zone.
  [types.builtins.DATE, (text) => text],
  [arrays.date, texts],
  [types.builtins.INT8, safeInteger],
  [arrays.int8, (text) => texts(text).map((entry) => (entry === null ? null : safeInteger(entry)))],
]);

/** How values are read: days as text, bigints as numbers, timestamps as `Date`, others as `pg` does. */
export const typeParsers: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parse = format === 'binary' ? undefined : parsers.get(oid);
    return parse ?? types.getTypeParser(oid, format);
  },
};
