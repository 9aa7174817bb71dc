import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../../../../src/service/db/database.js';
import { openDatabase } from '../../../../src/service/db/open.js';

/** Partitions of each tenants' table. A row's is the same in all: that of its organisation. */
const shardCount = 4;

/**
 * Tables with a key that must hold over all organisations (`distribution.test.ts`). They cannot be partitioned by organisation, so
 * they stay whole.
 */
export const wholeTables = ['api_keys', 'email_domains', 'invites', 'members', 'password_resets', 'sessions'] as const;

interface Place {
  readonly table: string;
  /** Null: the table is whole. */
  readonly shard: number | null;
}

/** What a relation of a plan is of the tenants' tables; null for other tables. */
export function placeOf(relation: string): Place | null {
  if (wholeTables.some((table) => table === relation)) return { table: relation, shard: null };
  const [, table, shard] = /^(.+)_shard(\d)$/.exec(relation) ?? [];
  return table === undefined ? null : { table, shard: Number(shard) };
}

/** Why this server or machine cannot show its plans; undefined where it can. */
export async function plansAreHidden(server: string): Promise<string | undefined> {
  const dump = spawnSync('pg_dump', ['--schema-only', server], { encoding: 'utf8' });
  if (dump.status !== 0) return `pg_dump is not installed, or of another version: ${dump.stderr ?? ''}`;
  return onDatabase(server, (client) => client.query("load 'auto_explain'")).then(
    () => undefined,
    (error: unknown) => `auto_explain cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/**
 * Brings an empty database to this version's schema, with the tenants' tables hash-partitioned by organisation, and has every
 * statement's plan sent to whoever asks it.
 */
export async function partitionByOrganisation(databaseUrl: string): Promise<void> {
  await (await openDatabase({ databaseUrl })).close();
  const { stdout } = await promisify(execFile)('pg_dump', ['--schema-only', '--no-owner', databaseUrl], {
    maxBuffer: 16 * 1024 * 1024,
  });
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      'drop schema public cascade; create schema public; grant usage on schema public to public; create schema shards',
    );
    await client.query(partitioned(stdout));
    const name = client.escapeIdentifier(new URL(databaseUrl).pathname.slice(1));
    for (const [setting, value] of Object.entries(settings)) {
      await client.query(`alter database ${name} set ${setting} = ${client.escapeLiteral(value)}`);
    }
  });
}

/** Of an organisation's rows. */
export async function shardOfOrganisation(database: Database, id: string): Promise<number | undefined> {
  const { rows } = await database.system((tx) =>
    sql<{ name: string }>`select tableoid::regclass::text as name from organisations where id = ${id}`.execute(tx),
  );
  return placeOf(rows[0]?.name.replace('shards.', '') ?? '')?.shard ?? undefined;
}

/** Organisations that nobody asks for, with so many projects that the planner would rather look up than read all. */
export async function addStrangers(databaseUrl: string): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query(`set auto_explain.log_min_duration = -1; set session_replication_role = replica`);
    await client.query(`insert into organisations (id, name, plan)
      select 'stranger_' || n, 'stranger', 'Business' from generate_series(1, 50) as n`);
    await client.query(`insert into projects (organisation_id, id, name, exposure)
      select 'stranger_' || o, 'project_' || p, 'project ' || p, 'internal'
      from generate_series(1, 50) as o, generate_series(1, 600) as p`);
    await client.query('analyze');
  });
}

/** Statements of functions, triggers and foreign keys too; with what was executed, since the executor prunes as well. */
const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  // A test's tables are small, and the planner would rather read all of a small table than look something up in it.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  jit: 'off',
};

function partitioned(dump: string): string {
  return dump
    .replace(/^\\.*$|^CREATE SCHEMA public;$/gm, '')
    .replace(/CREATE TABLE public\.(\w+) \(([\s\S]*?)\n\)[^;]*;/g, (statement, table: string, columns: string) => {
      const owner = table === 'organisations' ? 'id' : 'organisation_id';
      const isTenants = new RegExp(`^ +${owner} `, 'm').test(columns);
      if (!isTenants || wholeTables.some((whole) => whole === table)) return statement;
      const shards = Array.from(
        { length: shardCount },
        (_, shard) => `create table shards.${table}_shard${shard} partition of public.${table}
          for values with (modulus ${shardCount}, remainder ${shard}) with (autovacuum_enabled = false);`,
      );
      return `CREATE TABLE public.${table} (${columns}\n) partition by hash (${owner});\n${shards.join('\n')}`;
    })
    .replaceAll('ALTER TABLE ONLY ', 'ALTER TABLE ');
}

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
