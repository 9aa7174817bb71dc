import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database, Transaction } from '../../../src/service/db/database.js';
import { newId } from '../../../src/service/db/ids.js';
import { openShared } from '../../../src/service/db/open.js';
import { kind, testDatabase } from '../../support/database.js';

let database: Database;
const organisationId = newId('org');
beforeAll(async () => {
  database = await testDatabase();
});

const read = <T>(work: (tx: Transaction) => Promise<T>) =>
  database.read({ organisationId, projectIds: null }, work, { maxWaitMs: Number.POSITIVE_INFINITY });

async function ask<Row>(tx: Transaction, query: RawBuilder<Row>): Promise<Row> {
  const { rows } = await query.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}

const transactionTime = sql<{ at: string }>`select transaction_timestamp()::text as at`;

/** A table that tenants may read, for this test alone. */
async function table(): Promise<RawBuilder<unknown>> {
  const name = sql.table(`session_test_${newId('prj')}`);
  await database.system(async (tx) => {
    await sql`create table ${name} (x integer)`.execute(tx);
    await sql`grant all on ${name} to postern_tenant`.execute(tx);
  });
  onTestFinished(async () => {
    await database.system((tx) => sql`drop table ${name}`.execute(tx));
  });
  return name;
}

describe('work that reads', () => {
  test('is the tenant in every statement, and leaves nothing behind', async () => {
    const who = sql<{ role: string; organisation: string | null }>`select current_user::text as role,
      nullif(current_setting('postern.organisation_id', true), '') as organisation`;
    const tenant = { role: 'postern_tenant', organisation: organisationId };
    const told = await read(async (tx) => [await ask(tx, who), ...(await Promise.all([ask(tx, who), ask(tx, who)]))]);
    expect(told).toEqual([tenant, tenant, tenant]);
    const after = await database.system((tx) => ask(tx, who));
    expect(after).toEqual({ role: expect.not.stringMatching('postern_tenant'), organisation: null });
  });

  test('may not write', async () => {
    const name = await table();
    await expect(read((tx) => sql`insert into ${name} values (1)`.execute(tx))).rejects.toMatchObject({
      code: '25006',
    });
  });

  test('asks at once in one transaction, and in another one what it asks later', async () => {
    // The engine's clock may stand still for a millisecond, in which both transactions begin.
    await vi.waitFor(async () => {
      const [first, second, later] = await read(async (tx) => [
        ...(await Promise.all([ask(tx, transactionTime), ask(tx, transactionTime)])),
        await ask(tx, transactionTime),
      ]);
      expect(second).toEqual(first);
      expect(later).not.toEqual(first);
    });
  });

  test('fails with the statement that fails, and the next work does not', async () => {
    const failing = read((tx) =>
      Promise.all([ask(tx, transactionTime), ask(tx, sql`select 1 / 0`), ask(tx, transactionTime)]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await read((tx) => ask(tx, sql`select 1 as one`))).toEqual({ one: 1 });
  });
});

describe('a transaction', () => {
  test.each(['read', 'tenant'] as const)('of %s refuses statements after its end', async (which) => {
    const late = await (which === 'read'
      ? read(async (tx) => ({ tx }))
      : database.tenant(organisationId, async (tx) => ({ tx })));
    await expect(ask(late.tx, transactionTime)).rejects.toThrow('after the end of its transaction');
  });

  test('that cannot be opened runs none of its statements', async () => {
    const name = await table();
    const insert = (tx: Transaction) => sql`insert into ${name} values (1)`.execute(tx);
    const work = async (tx: Transaction) => {
      await insert(tx).catch(() => {});
      await insert(tx).catch(() => {});
    };
    // PostgreSQL takes no text with NUL: to make it this tenant's fails.
    await expect(database.tenant('org_\0', work)).rejects.toThrow('Nothing was saved');
    expect(await read((tx) => ask(tx, sql`select count(*)::int as rows from ${name}`))).toEqual({ rows: 0 });
  });
});

describe('a statement that is read often', () => {
  /** How many statements with a mark in their text the connection has kept. */
  const kept = (mark: string) =>
    read((tx) =>
      ask(
        tx,
        sql<{ kept: number }>`select count(*)::int as kept from pg_prepared_statements
          where statement like ${`%mark_${mark}%`}`,
      ),
    ).then((row) => row.kept);
  const marked = (mark: string, nth = 0) => sql<{ n: number }>`select ${sql.lit(nth)} as n /* mark_${sql.raw(mark)} */`;

  test('is kept at the server from its second use', async () => {
    const mark = newId('prj');
    for (let use = 0; use < 30; use += 1) await read((tx) => ask(tx, marked(mark)));
    expect(await kept(mark)).toBe(1);
  });

  test('is one of a bounded number', async () => {
    const mark = newId('prj');
    for (let nth = 0; nth < 450; nth += 1) {
      await read(async (tx) => {
        await ask(tx, marked(mark, nth));
        await ask(tx, marked(mark, nth));
      });
    }
    const count = await kept(mark);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(200);
  });

  test('is read anew when its table has changed', async () => {
    const name = await table();
    const all = sql<Record<string, unknown>>`select * from (values (1)) as one left join ${name} as other on true`;
    const columns = () => read(async (tx) => Object.keys(await ask(tx, all)));
    for (let use = 0; use < 20; use += 1) expect(await columns()).toEqual(['column1', 'x']);
    await database.system((tx) => sql`alter table ${name} add column y integer`.execute(tx));
    for (let use = 0; use < 20; use += 1) expect(await columns()).toEqual(['column1', 'x', 'y']);
  });

  test.runIf(kind === 'embedded')('stays when another connection begins and ends, whose own go with it', async () => {
    const [mark, othersMark] = [newId('prj'), newId('prj')];
    for (let use = 0; use < 5; use += 1) await read((tx) => ask(tx, marked(mark)));
    const other = openShared(database.share());
    for (let use = 0; use < 5; use += 1) {
      await other.read({ organisationId, projectIds: null }, (tx) => ask(tx, marked(othersMark)), {
        maxWaitMs: Number.POSITIVE_INFINITY,
      });
    }
    expect([await kept(mark), await kept(othersMark)]).toEqual([1, 1]);
    await other.close();
    await expect.poll(() => kept(othersMark), { timeout: 20_000 }).toBe(0);
    expect(await kept(mark)).toBe(1);
    expect(await read((tx) => ask(tx, marked(mark)))).toEqual({ n: 0 });
  });
});
