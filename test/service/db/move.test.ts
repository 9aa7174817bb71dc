import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { moveDatabase } from '../../../src/service/db/move/move-database.js';
import { digestOf, settleTextForm } from '../../../src/service/db/move/table-digest.js';
import { tableShapes } from '../../../src/service/db/move/table-shape.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { emptyFolder, folderWithDatabase, startPosternProgram } from '../../bin/running-postern.js';
import { at, textAt } from '../../support/at.js';
import { kind, newDatabaseUrl, testDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { insertAll, newTenantRows } from './tenant-rows.js';

/** A data folder with the sample, a row in each of the tenants' tables, and values that JavaScript's types would change. */
async function filledFolder(): Promise<string> {
  const dataDir = await folderWithDatabase();
  const server = startPosternProgram({ DATA_DIR: dataDir });
  await server.ready();
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const database = await openDatabase({ dataDir });
  await database.system(async (tx) => {
    const rows = newTenantRows();
    await insertAll(tx, rows, [...rows.rows.keys()]);
    await sql`update organisations set created_at = '2024-02-03 04:05:06.123456+00' where id = ${rows.organisationId}`.execute(
      tx,
    );
    await sql`update alert_events set facts = '{"n": 12345678901234567890.5, "t": "a\\"b\\\\c{,}\\n\\u00e4"}'
      where organisation_id = ${rows.organisationId}`.execute(tx);
    await sql`update newest_reports set scope = array['a,b', '"', '\\', '{}', '', 'NULL']
      where organisation_id = ${rows.organisationId}`.execute(tx);
    await sql`select setval('change_sets_id_seq', 4711)`.execute(tx);
  });
  await database.close();
  return dataDir;
}

const migrating = (dataDir: string, to: string, env: Record<string, string> = {}) =>
  startPosternProgram({ DATA_DIR: dataDir, ...env }, 'migrate', '--to', to);

async function rowOf(databaseUrl: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(query)).rows[0];
  } finally {
    await client.end();
  }
}

test('each table can be written after those that its foreign keys name', async () => {
  const tables = await (await testDatabase()).system((tx) => tableShapes(tx));
  expect(tables.length).toBeGreaterThan(40);
  for (const [index, { name, needs }] of tables.entries()) {
    const before = tables.slice(0, index).map((table) => table.name);
    for (const need of needs) expect(before, name).toContain(need);
  }
});

test('the digest of a table finds a change of one microsecond', async () => {
  const database = await testDatabase();
  const digests = await database.system(async (tx) => {
    const rows = newTenantRows();
    await settleTextForm(tx);
    await insertAll(tx, rows, ['organisations']);
    const shape = (await tableShapes(tx)).find(({ name }) => name === 'organisations');
    if (shape === undefined) throw new Error('no table');
    const before = await digestOf(shape, tx);
    await sql`update organisations set created_at = created_at + interval '1 microsecond' where id = ${rows.organisationId}`.execute(
      tx,
    );
    return [before, await digestOf(shape, tx)];
  });
  expect(digests[0]?.rows).toBe(digests[1]?.rows);
  expect(digests[0]?.digest).not.toBe(digests[1]?.digest);
});

describe.runIf(kind === 'postgres')('postern migrate', () => {
  test('moves everything to a PostgreSQL server, where keys and sessions go on; it is refused a second time', async () => {
    const [dataDir, url] = [await filledFolder(), await newDatabaseUrl()];
    const command = migrating(dataDir, url);
    expect([await command.ended, command.stderr()]).toEqual([0, '']);
    expect(command.stdout()).toMatch(
      /Moved [\d,]+ rows of \d+ tables; the content of each was compared and is equal\./,
    );
    expect(command.stdout()).toContain(`SECRETS_KEY: the content of ${path.join(dataDir, 'secrets.key')}`);
    const contentOf = (name: string) => readFileSync(path.join(dataDir, name), 'utf8').trim();
    for (const name of ['secrets.key', 'jwt.key']) expect(command.stdout()).not.toContain(contentOf(name));

    expect(
      await rowOf(
        url,
        `select (select count(*) from organisations where created_at = '2024-02-03 04:05:06.123456+00') as times,
          (select count(*) from alert_events where facts ->> 'n' = '12345678901234567890.5') as numbers,
          (select count(*) from newest_reports where scope = array['a,b', '"', '\\', '{}', '', 'NULL']) as lists,
          (select nextval('change_sets_id_seq')) as next,
          (select count(*) from pg_trigger where tgenabled = 'D') as disabled`,
      ),
    ).toEqual({ times: '1', numbers: '1', lists: '1', next: '4712', disabled: '0' });

    const run: unknown = JSON.parse(contentOf('first-run.json'));
    const server = startPosternProgram({
      ...{ DATA_DIR: await emptyFolder(), DATABASE_URL: url },
      ...{ SECRETS_KEY: contentOf('secrets.key'), JWT_SECRET: contentOf('jwt.key') },
    });
    const address = await server.ready();
    const authorization = `Bearer ${textAt(at(run, 'keys'), 'read_only')}`;
    const alerts = await fetch(`${address}/api/alerts`, { headers: { authorization } });
    expect(alerts.status).toBe(200);
    expect(at(await alerts.json(), 'total')).toBeGreaterThan(5);
    const session = await fetch(`${address}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(at(run, 'admin')),
    });
    expect(session.status).toBe(200);

    const again = migrating(dataDir, url);
    expect(await again.ended).toBe(1);
    expect(again.stderr()).toContain('The database at --to is not empty: it has rows in the table');
  });

  test('that is killed leaves the target empty, and can be run again', async () => {
    const [dataDir, url] = [await filledFolder(), await newDatabaseUrl()];
    const killed = migrating(dataDir, url);
    await eventually(() => expect(killed.stdout()).toMatch(/^ {2}organisations/m));
    killed.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(await rowOf(url, 'select count(*) as count from organisations')).toEqual({ count: '0' });
    const again = migrating(dataDir, url);
    expect([await again.ended, again.stderr()]).toEqual([0, '']);
  });

  test('is refused beside a running server, and to a database that has tables of others', async () => {
    const [dataDir, url] = [await folderWithDatabase(), await newDatabaseUrl()];
    await rowOf(url, 'create table invoices (id int)');
    const other = migrating(dataDir, url);
    expect(await other.ended).toBe(1);
    expect(other.stderr()).toContain("the table invoices, which is none of Postern's");
    await startPosternProgram({ DATA_DIR: dataDir, POSTERN_SAMPLE: 'false' }).ready();
    const beside = migrating(dataDir, url);
    expect(await beside.ended).toBe(1);
    expect(beside.stderr()).toContain('in use by process');
  });

  test('writes nothing where a row does not arrive as it was', async () => {
    const [dataDir, url] = [await filledFolder(), await newDatabaseUrl()];
    await openDatabase({ databaseUrl: url }).then((made) => made.close());
    await rowOf(url, 'alter table projects alter column name type varchar(3)');
    const from = await openDatabase({ dataDir });
    onTestFinished(() => from.close());
    const move = { from, databaseUrl: url, onTable() {}, signal: new AbortController().signal };
    await expect(moveDatabase(move)).rejects.toThrow(/The table projects is none that this version makes/);
    await rowOf(url, 'alter table projects alter column name type text');
    await rowOf(url, 'create rule lost as on insert to webhook_deliveries do instead nothing');
    await expect(moveDatabase(move)).rejects.toThrow('The table webhook_deliveries did not arrive as it was');
    expect(await rowOf(url, 'select count(*) as count from organisations')).toEqual({ count: '0' });
  });
});

test('a server that is not there is named, and its password is not', async () => {
  const command = migrating(await folderWithDatabase(), 'postgres://u:topsecret@127.0.0.1:1/d');
  expect(await command.ended).toBe(1);
  expect(command.stderr()).toContain('no PostgreSQL answers there');
  expect(command.stderr()).not.toContain('topsecret');
});
