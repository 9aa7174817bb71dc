import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database, Transaction } from '../../../src/service/db/database.js';
import { newId } from '../../../src/service/db/ids.js';
import { testDatabase } from '../../support/database.js';
import { commonTables, ownerColumn, tenantTables } from './catalogue.js';
import { insertAll, insertion, newTenantRows } from './tenant-rows.js';

const insufficientPrivilege = '42501';
const ours = newTenantRows();
const theirs = newTenantRows();
let database: Database;
let tables: string[];

beforeAll(async () => {
  database = await testDatabase();
  tables = await tenantTables(database);
  await database.system(async (tx) => {
    await insertAll(tx, ours, tables);
    await insertAll(tx, theirs, tables);
  });
});

/** How many rows a statement read or changed, or the error's code. */
async function outcome(organisationId: string | null, statement: RawBuilder<unknown>): Promise<number | string> {
  const work = async (tx: Transaction) => {
    const { rows, numAffectedRows } = await statement.execute(tx);
    return numAffectedRows === undefined ? rows.length : Number(numAffectedRows);
  };
  try {
    return await database.tenant(organisationId ?? '', work);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

const read = (table: string) => sql`select * from ${sql.table(table)}`;
const where = (table: string) => sql`where ${sql.ref(ownerColumn(table))} = ${theirs.organisationId}`;
const change = (table: string) => {
  const column = sql.ref(table === 'organisations' ? 'name' : 'organisation_id');
  return sql`update ${sql.table(table)} set ${column} = ${column} ${where(table)}`;
};
const removal = (table: string) => sql`delete from ${sql.table(table)} ${where(table)}`;
const move = (table: string) =>
  sql`update ${sql.table(table)} set ${sql.ref(ownerColumn(table))} = ${newId('org')} ${where(table)}`;

async function forEachTable(check: (table: string) => Promise<void>): Promise<void> {
  expect(tables.length).toBeGreaterThan(9);
  for (const table of tables) await check(table);
}

test('every table that belongs to an organisation has a row here and row-level security there', async () => {
  expect(tables.filter((table) => !theirs.rows.has(table))).toEqual([]);
  const query = sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_policies p on p.tablename = c.relname and p.schemaname = current_schema()
    where c.relnamespace = current_schema()::regnamespace and c.relrowsecurity and p.roles = '{postern_tenant}' and p.permissive = 'PERMISSIVE'`;
  const { rows } = await database.system((tx) => query.execute(tx));
  expect(rows.map(({ name }) => name).sort()).toEqual(tables);
});

describe.each([
  { who: 'no organisation', caller: null },
  { who: 'another organisation', caller: ours.organisationId },
])('for $who, a row', ({ caller }) => {
  test('is not there to read', () =>
    forEachTable(async (table) => {
      expect(await outcome(caller, sql`${read(table)} ${where(table)}`), table).toBe(0);
      const own = await outcome(caller, read(table));
      // Counts have rows for the others' rows too.
      if (caller === null) expect(own, table).toBe(0);
      else expect(own, table).toBeGreaterThan(0);
    }));

  test('is not changed', () =>
    forEachTable(async (table) =>
      expect([0, insufficientPrivilege], table).toContain(await outcome(caller, change(table))),
    ));

  test('is not deleted', () =>
    forEachTable(async (table) =>
      expect([0, insufficientPrivilege], table).toContain(await outcome(caller, removal(table))),
    ));

  test('is not added', () =>
    forEachTable(async (table) => {
      const row = { ...newTenantRows().rows.get(table), [ownerColumn(table)]: theirs.organisationId };
      expect(await outcome(caller, insertion(table, row)), table).toBe(insufficientPrivilege);
    }));

  test('is still there afterwards', () =>
    forEachTable(async (table) => expect(await outcome(theirs.organisationId, read(table)), table).toBeGreaterThan(0)));
});

describe('an organisation', () => {
  test('may not give a row of its own away', () =>
    forEachTable(async (table) =>
      expect(await outcome(theirs.organisationId, move(table)), table).toBe(insufficientPrivilege),
    ));

  test('changes its name but not its plan', async () => {
    const update = (column: string) =>
      sql`update organisations set ${sql.ref(column)} = 'Enterprise' where id = ${ours.organisationId}`;
    expect(await outcome(ours.organisationId, update('name'))).toBe(1);
    expect(await outcome(ours.organisationId, update('plan'))).toBe(insufficientPrivilege);
  });

  test('may not begin or end an organisation', async () => {
    expect(await outcome(ours.organisationId, sql`delete from organisations`)).toBe(insufficientPrivilege);
    const row = { id: ours.organisationId, name: 'Acme', plan: 'Free' };
    expect(await outcome(ours.organisationId, insertion('organisations', row))).toBe(insufficientPrivilege);
  });

  test('reads intelligence and writes none of it', async () => {
    const common = await commonTables(database);
    expect(common).toContain('advisories');
    for (const table of common) {
      expect(await outcome(ours.organisationId, sql`delete from ${sql.table(table)}`), table).toBe(
        insufficientPrivilege,
      );
      const insert = sql`insert into ${sql.table(table)} default values`;
      expect(await outcome(ours.organisationId, insert), table).toBe(insufficientPrivilege);
      expect(await privileges(table), table).toEqual(
        table.startsWith('kysely_') || ['audit_sink', 'jobs', 'receipt_keys', 'service_keys'].includes(table)
          ? []
          : ['select'],
      );
    }
  });

  test('writes its audit log and changes nothing in it', async () => {
    expect(await privileges('audit_log')).toEqual(['select', 'insert']);
    const row = { ...newTenantRows().rows.get('audit_log'), organisation_id: ours.organisationId };
    expect(await outcome(ours.organisationId, insertion('audit_log', row))).toBe(1);
    const own = sql`where organisation_id = ${ours.organisationId}`;
    expect(await outcome(ours.organisationId, sql`update audit_log set action = 'x' ${own}`)).toBe(
      insufficientPrivilege,
    );
    expect(await outcome(ours.organisationId, sql`delete from audit_log ${own}`)).toBe(insufficientPrivilege);
  });
});

test.each(["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log'])(
  'not even the owner may: %s',
  async (statement) => {
    await expect(database.system((tx) => sql.raw(statement).execute(tx))).rejects.toThrow(
      'the audit log is append-only',
    );
  },
);

test('no foreign key of a tenants’ table points to another organisation’s row', async () => {
  const query = sql<{ name: string; same: boolean }>`
    select k.conrelid::regclass || ' ' || k.conname as name, exists (
      select from unnest(k.conkey, k.confkey) as pair(here, there)
      join pg_attribute h on h.attrelid = k.conrelid and h.attnum = pair.here and h.attname = 'organisation_id'
      join pg_attribute t on t.attrelid = k.confrelid and t.attnum = pair.there
        and t.attname = case when k.confrelid = 'organisations'::regclass then 'id' else 'organisation_id' end) as same
    from pg_constraint k where k.contype = 'f' and k.conrelid::regclass::text in (${sql.join(tables)})`;
  const { rows } = await database.system((tx) => query.execute(tx));
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter(({ same }) => !same)).toEqual([]);
});

test('a row cannot belong to another organisation’s project', async () => {
  const item = {
    ...ours.rows.get('tech_stack_items'),
    id: newId('row'),
    project_id: theirs.rows.get('projects')?.['id'],
  };
  expect(await outcome(ours.organisationId, insertion('tech_stack_items', item))).toBe('23503');
});

async function privileges(table: string): Promise<string[]> {
  const all = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'];
  const query = sql<{ name: string; granted: boolean }>`
    select name, has_table_privilege('postern_tenant', ${table}, name) as granted from unnest(${all}::text[]) as name`;
  const { rows } = await database.system((tx) => query.execute(tx));
  return rows.filter(({ granted }) => granted).map(({ name }) => name);
}
