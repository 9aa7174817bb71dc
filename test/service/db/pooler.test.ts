import { sql } from 'kysely';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { newId } from '../../../src/service/db/ids.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { kind, newDatabaseUrl } from '../../support/database.js';
import { noPgbouncer, startPgbouncer } from '../../support/pgbouncer.js';

if (kind === 'postgres' && noPgbouncer !== undefined) console.warn(`no test goes through a pooler: ${noPgbouncer}`);
const throughPooler = test.runIf(kind === 'postgres' && noPgbouncer === undefined);

async function open(databaseUrl: string): Promise<Database> {
  const database = await openDatabase({ databaseUrl });
  onTestFinished(() => database.close());
  return database;
}

const whose = sql<{ organisation: string; role: string; rows: string[] }>`select
  current_setting('postern.organisation_id') as organisation, current_user::text as role,
  (select coalesce(array_agg(id), '{}') from organisations) as rows`;

const timeout = sql<string>`current_setting('statement_timeout')`.as('timeout');
const timeouts = sql<{ timeout: string }>`select ${timeout}`;

throughPooler('tenants that take turns on two connections of a server see their own rows alone', async () => {
  const url = await startPgbouncer(await newDatabaseUrl());
  // Two instances: connections of each go to whatever connection of the server is free.
  const databases = [await open(url), await open(url)];
  const ids = Array.from({ length: 6 }, () => newId('org'));
  for (const [at, id] of ids.entries()) {
    await databases[at % 2]?.system((tx) =>
      tx.insertInto('organisations').values({ id, name: 'n', plan: 'Free' }).execute(),
    );
  }
  const seen = await Promise.all(
    Array.from({ length: 300 }, async (_, number) => {
      const organisationId = ids[number % ids.length] ?? '';
      const database = databases[number % 2] ?? databases[0];
      const tenant = { organisationId, projectIds: null };
      const answer =
        number % 3 === 0
          ? database?.tenant(tenant, (tx) => whose.execute(tx))
          : database?.read(tenant, (tx) => whose.execute(tx), { maxWaitMs: 60_000 });
      const { rows } = (await answer) ?? { rows: [] };
      return { organisationId, rows };
    }),
  );
  for (const { organisationId, rows } of seen) {
    expect(rows).toEqual([{ organisation: organisationId, role: 'postern_tenant', rows: [organisationId] }]);
  }
  // Nothing of a tenant is left where its transaction has ended.
  for (let time = 0; time < 10; time += 1) {
    const left = sql<{ role: string; organisation: string | null }>`select current_user::text as role,
      nullif(current_setting('postern.organisation_id', true), '') as organisation`;
    const { rows } = (await databases[time % 2]?.system((tx) => left.execute(tx))) ?? { rows: [] };
    expect(rows).toEqual([{ role: new URL(url).username, organisation: null }]);
  }
});

throughPooler('a statement that the pooler’s other connection does not know is sent again with its text', async () => {
  const url = await startPgbouncer(await newDatabaseUrl());
  const database = await open(url);
  const tenant = { organisationId: newId('org'), projectIds: null };
  const backends = new Set<number>();
  const asked = sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.001)::text`;
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { rows } = await database.read(tenant, (tx) => asked.execute(tx), { maxWaitMs: 60_000 });
        for (const { pid } of rows) backends.add(pid);
      }),
    );
  }
  // Else it has shown nothing.
  expect(backends.size).toBe(2);
});

throughPooler('transactions have their timeouts, and leave none on a connection for others', async () => {
  const url = await startPgbouncer(await newDatabaseUrl());
  const database = await open(url);
  const tenant = { organisationId: newId('org'), projectIds: null };
  const maxWaitMs = 60_000;
  for (const { rows } of [
    await database.system((tx) => timeouts.execute(tx)),
    await database.tenant(tenant, (tx) => timeouts.execute(tx)),
    await database.read(tenant, (tx) => timeouts.execute(tx), { maxWaitMs }),
    await database.statements(
      (db) =>
        db
          .selectNoFrom(timeout)
          .execute()
          .then((found) => ({ rows: found })),
      'background',
    ),
  ]) {
    expect(rows).toEqual([{ timeout: '1min' }]);
  }
  const others = new Pool({ connectionString: url, max: 2 });
  onTestFinished(() => others.end());
  for (let time = 0; time < 10; time += 1) {
    const { rows } = await others.query<{ timeout: string }>(`select current_setting('statement_timeout') as timeout`);
    expect(rows).toEqual([{ timeout: '0' }]);
  }
});
