import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../db/database.js';

/** Names that a condition lists, at most. A text that more contain is compared with each package. */
const maxNames = 2_000;

interface Named {
  readonly part: string;
  readonly name: string;
}

/**
 * The condition that a package's name contains a text, in any case. The names of the organisation are searched in place of its packages:
 * each is there once, and the index by name then finds the packages. Registries of Python and Rust take `_`, `.` and `-` for the same, so
 * both spellings are looked for.
 *
 * @param table whose columns `ecosystem` and `package_name` are meant
 */
export async function namedLike(tx: Transaction, table: string, part: string): Promise<RawBuilder<boolean>> {
  const needle = part.toLowerCase();
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const named = (text: string) => sql`select part, name from names_containing('package', ${text}, ${maxNames + 1})`;
  const { rows } = await sql<Named>`
    ${named(needle)} union ${named(needle.replace(/[-_.]+/g, '-'))} where part in ('PyPI', 'crates.io')`.execute(tx);
  if (rows.length > maxNames) return sql<boolean>`position(${needle} in lower(${column('package_name')})) > 0`;
  const [parts, names] = [rows.map((row) => row.part), rows.map(({ name }) => name)];
  return sql<boolean>`(${column('ecosystem')} = any (${[...new Set(parts)]}::text[])
    and ${column('package_name')} = any (${names}::text[])
    and (${column('ecosystem')}, ${column('package_name')}) in (select * from unnest(${parts}::text[], ${names}::text[])))`;
}
