import { type Kysely, sql } from 'kysely';

/**
 * What an advisory says at length, and what each of its references is. Advisories that are there have neither, until their feed is
 * read again: it is at its next load, although its content is the same.
 */
const statements = [
  `alter table advisories add column details text, add column reference_kinds text[] not null default '{}'`,
  `update feeds set content_hash = null, etag = null where name like 'osv:%'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
