import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../src/service/db/database.js';
import { type EmbeddedPostgres, openEmbedded } from '../../../../src/service/db/embedded/embedded.js';
import { newId } from '../../../../src/service/db/ids.js';
import { openDatabase } from '../../../../src/service/db/open.js';
import { collectGarbage } from '../../../support/collect-garbage.js';
import { kind, newDataDir } from '../../../support/database.js';
import { eventually } from '../../../support/eventually.js';
import { changedWorker } from './worker-fixtures.js';

const opened: EmbeddedPostgres[] = [];
afterEach(async () => {
  for (const { pool, close } of opened.splice(0)) {
    await pool.end();
    await close();
  }
});

async function open(folder: string, worker?: URL): Promise<Pool> {
  const database = await openEmbedded(folder, worker);
  opened.push(database);
  return database.pool;
}

const value = async (pool: Pool, text: string, values: unknown[] = []) => {
  const { rows } = await pool.query<{ value: unknown }>(text, values);
  return rows[0]?.value;
};

const onLinux = existsSync('/proc/self/fd');

/** Answers how many there are then. */
async function insertOrganisation(database: Database): Promise<number> {
  return database.system(async (tx) => {
    await sql`insert into organisations (id, name, plan) values (${newId('org')}, 'n', 'Free')`.execute(tx);
    const { rows } = await sql<{ count: number }>`select count(*) as count from organisations`.execute(tx);
    return rows[0]?.count ?? 0;
  });
}

describe.runIf(kind === 'embedded')('the embedded database', () => {
  test('speaks the protocol: large messages, many at once, prepared, pipelined', async () => {
    const pool = await open(path.join(await newDataDir(), 'database'));
    const megabytes64 = 'x'.repeat(64 * 1024 * 1024);
    expect(await value(pool, 'select length($1::text) as value', [megabytes64])).toBe(megabytes64.length);
    expect(await value(pool, "select repeat('y', 16777216) as value")).toHaveLength(16777216);
    const many = Array.from({ length: 200 }, (_, index) => value(pool, 'select $1::int as value', [index]));
    expect(await Promise.all(many)).toEqual(many.map((_, index) => index));
    const client = await pool.connect();
    client.setMaxListeners(0);
    Object.assign(client, { pipeline: true });
    const named = { name: 'add', text: 'select $1::int + 1 as value' };
    const queries = Array.from({ length: 50 }, (_, index) => client.query({ ...named, values: [index] }));
    const failing = expect(client.query('select 1/0')).rejects.toThrow('division by zero');
    const after = client.query('select 5 as value');
    expect((await Promise.all(queries)).map(({ rows }) => rows[0]?.value)).toEqual(
      queries.map((_, index) => index + 1),
    );
    await failing;
    expect((await after).rows).toEqual([{ value: 5 }]);
    client.release();
  });

  test('forgets a connection that is dropped: its transaction, its role, its prepared statements', async () => {
    const pool = await open(path.join(await newDataDir(), 'database'));
    await pool.query('create table kept (x int)');
    const client = await pool.connect();
    await client.query({ name: 'q', text: 'select 1' });
    await client.query('begin');
    await client.query('insert into kept values (1)');
    await client.query('set role postern_tenant');
    client.release(new Error('dropped'));
    expect(await value(pool, 'select count(*) as value from kept')).toBe(0);
    expect(await value(pool, 'select current_user::text as value')).toBe('postgres');
    expect(await value(pool, 'select count(*) as value from pg_prepared_statements')).toBe(0);
  });

  test('does not keep its answers in memory', async () => {
    const pool = await open(path.join(await newDataDir(), 'database'));
    const read = () => pool.query("select repeat('z', 1000) as value from generate_series(1, 20000)");
    for (let warm = 0; warm < 5; warm += 1) await read();
    const used = () => {
      collectGarbage();
      return process.memoryUsage().rss;
    };
    const before = used();
    // 800 MB in all.
    for (let round = 0; round < 40; round += 1) await read();
    await eventually(() => expect(used() - before).toBeLessThan(300 * 1024 * 1024));
  });

  test('lies in the folder it was given', async () => {
    const dataDir = await newDataDir();
    await open(path.join(dataDir, 'database'));
    expect(existsSync(path.join(dataDir, 'database', 'PG_VERSION'))).toBe(true);
  });

  test.runIf(onLinux)('has the disk write a commit before it is acknowledged', async () => {
    const dataDir = await newDataDir();
    const log = path.join(dataDir, 'fsyncs');
    await writeFile(log, '');
    const pool = await open(path.join(dataDir, 'database'), await changedWorker('logFsyncs', log));
    await pool.query('create table kept (x int)');
    for (let x = 0; x < 20; x += 1) {
      await pool.query('begin');
      await pool.query('insert into kept values ($1)', [x]);
      await writeFile(log, '');
      await pool.query('commit');
      expect(await readFile(log, 'utf8')).toMatch(/\/pg_wal\/[0-9A-F]{24}\n/);
    }
  });

  test('begins anew where a crash interrupted its making', async () => {
    const dataDir = await newDataDir();
    const folder = path.join(dataDir, 'database');
    await rm(path.join(folder, 'global'), { recursive: true });
    await writeFile(`${folder}.incomplete`, '');
    const pool = await open(folder);
    expect(await value(pool, 'select 1 as value')).toBe(1);
    expect(existsSync(`${folder}.incomplete`)).toBe(false);
  });

  test.each([
    { damage: 'lost its control file', break: (folder: string) => rm(path.join(folder, 'global/pg_control')) },
    { damage: 'lost its log', break: (folder: string) => rm(path.join(folder, 'pg_wal'), { recursive: true }) },
    { damage: 'is of another version', break: (folder: string) => writeFile(path.join(folder, 'PG_VERSION'), '9\n') },
    { damage: 'is no database', break: (folder: string) => rm(path.join(folder, 'PG_VERSION')) },
  ])('names the folder that $damage', async ({ break: damage }) => {
    const dataDir = await newDataDir();
    const folder = path.join(dataDir, 'database');
    await damage(folder);
    await expect(openEmbedded(folder)).rejects.toThrow(`Cannot open the embedded database in ${folder}: `);
    // The lock is given back: a second try says the same, not that the folder is in use.
    await expect(openDatabase({ dataDir })).rejects.toThrow(folder);
    await expect(openDatabase({ dataDir })).rejects.toThrow(folder);
  });

  test('says so where its worker was not built', async () => {
    const folder = path.join(await newDataDir(), 'database');
    await expect(openEmbedded(folder, new URL('file:///nowhere/database-worker.js'))).rejects.toThrow(
      /Cannot find module/,
    );
  });

  test.runIf(onLinux).each([
    { change: 'dieWhen' as const, message: /has stopped: its thread ended with code 7/ },
    { change: 'fillLogWhen' as const, message: /has stopped: .*No space left on device/ },
    { change: 'failFsyncWhen' as const, message: /has stopped: .*EIO: i\/o error, fsync/ },
  ])('fails running and later queries when it has stopped ($change)', async ({ change, message }) => {
    const dataDir = await newDataDir();
    const flag = path.join(dataDir, 'now');
    const database = await openDatabase({ dataDir, workerUrl: await changedWorker(change, flag) });
    onTestFinished(() => database.close());
    await insertOrganisation(database);
    await writeFile(flag, '');
    await expect(insertOrganisation(database)).rejects.toThrow(message);
    await expect(insertOrganisation(database)).rejects.toThrow(message);
    await database.close();
    const again = await openDatabase({ dataDir });
    onTestFinished(() => again.close());
    expect(await insertOrganisation(again)).toBeGreaterThan(1);
  });

  test.runIf(onLinux)('goes on after a disk that was full for its tables', async () => {
    const dataDir = await newDataDir();
    const flag = path.join(dataDir, 'now');
    const database = await openDatabase({ dataDir, workerUrl: await changedWorker('fillTablesWhen', flag) });
    onTestFinished(() => database.close());
    await writeFile(flag, '');
    await expect(insertOrganisation(database)).rejects.toThrow('No space left on device');
    await rm(flag);
    expect(await insertOrganisation(database)).toBe(1);
  });

  test('is closed twice without harm, and rejects work afterwards', async () => {
    const dataDir = await newDataDir();
    const database = await openDatabase({ dataDir });
    await Promise.all([database.close(), database.close()]);
    await expect(database.system((tx) => sql`select 1`.execute(tx))).rejects.toThrow('pool');
    expect(existsSync(path.join(dataDir, 'lock.json'))).toBe(false);
    const again = await openDatabase({ dataDir });
    await again.close();
  });

  test('is made in an empty folder', async () => {
    const dataDir = path.join(await newDataDir(), 'new', 'er');
    await mkdir(path.dirname(dataDir));
    const database = await openDatabase({ dataDir });
    onTestFinished(() => database.close());
    const { rows } = await database.system((tx) => sql`select count(*) as count from organisations`.execute(tx));
    expect(rows).toEqual([{ count: 0 }]);
  });
});
