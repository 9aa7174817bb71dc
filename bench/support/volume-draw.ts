import { type RawBuilder, sql } from 'kysely';

/** A pseudo-random number made by the database from a row's number `n` and a name: equal inputs give equal rows. */
export function draw(name: string): RawBuilder<number> {
  return sql<number>`((hashtextextended(${sql.lit(name)}, n) & 1048575) / 1048576.0::double precision)`;
}

/** One of the values, each with the same probability. */
export function pick(name: string, values: readonly string[]): RawBuilder<string> {
  return sql<string>`(array[${sql.join(values.map((value) => sql.lit(value)))}])[1 + floor(${draw(name)} * ${sql.lit(values.length)})::integer]`;
}

/** An id in the service's form: a prefix and 20 characters. */
export function idOf(prefix: string, key: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(${sql.lit(`${prefix}_`)} || substr(md5((${key})::text), 1, 20))`;
}

/** A generator of pseudo-random numbers from 0 to 1, seeded with a row's number (splitmix32). */
export function numbersOf(row: number): () => number {
  let state = Math.imul(row + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
