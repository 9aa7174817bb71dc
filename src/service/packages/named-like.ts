import { type RawBuilder, sql } from 'kysely';

/** Names of one organisation that contain a text, at most: more than any has. */
const maxNames = 1_000_000;

/**
 * The condition that a package's name contains a text, in any case. The names of an organisation are read in place of its packages: each
 * is there once. Registries of Python and Rust take `_`, `.` and `-` for the same, so both spellings are looked for.
 *
 * @param table whose columns `ecosystem` and `package_name` are meant
 */
export function isNamedLike(table: string, part: string): RawBuilder<boolean> {
  const needle = part.toLowerCase();
  const named = (text: string) => sql`select part, name from names_containing('package', ${text}, ${maxNames})`;
  return sql<boolean>`(${sql.ref(`${table}.ecosystem`)}, ${sql.ref(`${table}.package_name`)}) in (
    ${named(needle)} union ${named(needle.replace(/[-_.]+/g, '-'))} where part in ('PyPI', 'crates.io')
  )`;
}
