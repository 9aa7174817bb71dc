import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.js';
import { ownerColumn, tenantTables } from './catalogue.js';

interface Key {
  readonly table: string;
  readonly index: string;
  readonly columns: readonly string[];
}

/** Unique indexes, primary keys among them, of the tables that belong to organisations. */
async function uniqueKeys(): Promise<Key[]> {
  const database = await testDatabase();
  const tables = await tenantTables(database);
  const { rows } = await database.system((tx) =>
    sql<Key>`select t.relname as table, i.relname as index,
        (select array_agg(a.attname::text order by k.at) from unnest(x.indkey::int[]) with ordinality k (attnum, at)
          join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where x.indisunique and t.relnamespace = current_schema()::regnamespace and t.relname = any (${tables}::text[])
      order by 1, 2`.execute(tx),
  );
  return rows;
}

/** Foreign keys between tables of organisations that do not compare the organisation too. */
async function crossingReferences(): Promise<string[]> {
  const database = await testDatabase();
  const tables = await tenantTables(database);
  const { rows } = await database.system((tx) =>
    sql<{ name: string }>`select k.conname as name from pg_constraint k
        join pg_class t on t.oid = k.conrelid join pg_class o on o.oid = k.confrelid
      where k.contype = 'f' and t.relname = any (${tables}::text[]) and o.relname = any (${tables}::text[])
        and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'organisation_id'
          and a.attnum = any (k.conkey))
      order by 1`.execute(tx),
  );
  return rows.map(({ name }) => name);
}

/**
 * Whoever spreads the tables over several servers does it by organisation, and a unique key can then hold only if the organisation
 * is in it. These are the keys that would have to hold over all servers, and why.
 */
const overAllOrganisations: Readonly<Record<string, string>> = {
  'api_keys.api_keys_key_hash_key': 'a key says itself whose it is',
  'invites.invites_token_hash_key': 'an invite is accepted by somebody who has nothing but its token',
  'members.members_email_key': 'an address signs in to one organisation',
  'password_resets.password_resets_token_hash_key': 'a reset is used by somebody who has nothing but its token',
  'sessions.sessions_id_key': 'a session’s token is looked up before its organisation is known',
};

test('the unique keys of tenants’ tables begin with the organisation, but for those that must hold over all', async () => {
  const keys = await uniqueKeys();
  expect(keys.length).toBeGreaterThan(30);
  const others = keys.filter(({ table, columns }) => columns[0] !== ownerColumn(table));
  expect(others.map(({ table, index }) => `${table}.${index}`)).toEqual(Object.keys(overAllOrganisations).sort());
});

test('a row refers only to rows of its own organisation', async () => {
  expect(await crossingReferences()).toEqual([]);
});
