import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database, Transaction } from '../../../src/service/db/database.js';
import { newId } from '../../../src/service/db/ids.js';
import { kind, testDatabase } from '../../support/database.js';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});

interface Session {
  readonly role: string;
  readonly organisation: string | null;
  readonly connection: number;
}

/** What the connection says of itself inside a transaction. */
async function session(tx: Transaction): Promise<Session> {
  const query = sql<Session>`select current_user::text as role, pg_backend_pid() as connection,
    nullif(current_setting('postern.organisation_id', true), '') as organisation`;
  const { rows } = await query.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}

const run = (statement: RawBuilder<unknown>) => (tx: Transaction) => statement.execute(tx);
const failing = (code: string) =>
  sql.raw(`do $$ begin raise exception 'made to fail' using errcode = '${code}'; end $$`);

describe('a tenant’s transaction', () => {
  test('runs as the tenants’ role, bound to its organisation', async () => {
    const organisation = `org_o'Brien\\`;
    expect(await database.tenant(organisation, session)).toMatchObject({ role: 'postern_tenant', organisation });
  });

  test.each([
    { ending: 'commits', work: session, message: undefined },
    { ending: 'throws', work: async () => Promise.reject(new Error('no')), message: 'no' },
    { ending: 'meets an error of the database', work: run(sql`select 1 / 0`), message: 'division by zero' },
  ])('leaves nothing behind on its connection when it $ending', async ({ work, message }) => {
    const before = await database.tenant(newId('org'), session);
    const ended = database.tenant<unknown>(newId('org'), work);
    if (message === undefined) await ended;
    else await expect(ended).rejects.toThrow(message);
    const after = await database.system(session);
    expect(after).toEqual({
      role: expect.not.stringMatching('postern_tenant'),
      organisation: null,
      connection: before.connection,
    });
  });
});

describe('a transaction', () => {
  const table = sql`create temporary table if not exists transaction_test (x integer) on commit preserve rows`;
  const rows = async () => (await database.system(run(sql`select x from transaction_test order by x`))).rows;
  beforeAll(() => database.system(run(table)));

  test('is undone whole when its work throws', async () => {
    const work = async (tx: Transaction) => {
      await sql`insert into transaction_test values (1)`.execute(tx);
      throw new Error('no');
    };
    await expect(database.system(work)).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  test('that went on after a failed statement does not pass for saved', async () => {
    const work = async (tx: Transaction) => {
      await sql`insert into transaction_test values (1)`.execute(tx);
      await sql`select 1 / 0`.execute(tx).catch(() => {});
    };
    await expect(database.system(work)).rejects.toThrow('Nothing was saved');
    expect(await rows()).toEqual([]);
  });

  test('is not opened inside another one', async () => {
    const inner = () => database.tenant(newId('org'), session);
    await expect(database.system(inner)).rejects.toThrow('opened inside another one');
  });

  test('is open to work that outlives the one it began in', async () => {
    let goOn = (): void => {};
    const ended = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { later } = await database.system(async () => ({ later: ended.then(() => database.system(session)) }));
    goOn();
    expect(await later).toMatchObject({ organisation: null });
  });

  test('reports how many rows a statement changed', async () => {
    await database.system(async (tx) => {
      const inserted = await sql`insert into transaction_test values (7), (8)`.execute(tx);
      const deleted = await sql`delete from transaction_test where x > 6`.execute(tx);
      expect([inserted.numAffectedRows, deleted.numAffectedRows]).toEqual([2n, 2n]);
    });
  });
});

describe('a transaction that the database asks to repeat', () => {
  test.each(['40001', '40P01'])('is repeated at most twice (%s)', async (code) => {
    let attempts = 0;
    const work = async (tx: Transaction) => {
      attempts += 1;
      await failing(code).execute(tx);
    };
    await expect(database.system(work)).rejects.toThrow('made to fail');
    expect(attempts).toBe(3);
  });

  test('is answered by the attempt that worked', async () => {
    let attempts = 0;
    const work = async (tx: Transaction) => {
      attempts += 1;
      if (attempts < 3) await failing('40001').execute(tx);
      return session(tx);
    };
    expect(await database.tenant('org_x', work)).toMatchObject({ role: 'postern_tenant', organisation: 'org_x' });
  });

  test('is not repeated for another error', async () => {
    let attempts = 0;
    const work = async (tx: Transaction) => {
      attempts += 1;
      await failing('23505').execute(tx);
    };
    await expect(database.system(work)).rejects.toThrow('made to fail');
    expect(attempts).toBe(1);
  });

  test.runIf(kind === 'postgres')('gets through a real deadlock and a real serialization failure', async () => {
    const ids = [newId('org'), newId('org')];
    for (const id of ids)
      await database.system(run(sql`insert into organisations (id, name, plan) values (${id}, '', 'Free')`));
    const touch = (tx: Transaction, id: string | undefined) =>
      sql`update organisations set name = name || 'x' where id = ${id}`.execute(tx);
    let attempts = 0;
    let touched = 0;
    let bothHaveOne = (): void => {};
    const barrier = new Promise<void>((resolve) => {
      bothHaveOne = resolve;
    });
    const inOrder = (order: (string | undefined)[]) => async (tx: Transaction) => {
      attempts += 1;
      await sql`set transaction isolation level repeatable read`.execute(tx);
      await touch(tx, order[0]);
      touched += 1;
      if (touched === 2) bothHaveOne();
      await barrier;
      await touch(tx, order[1]);
    };
    await Promise.all([database.system(inOrder(ids)), database.system(inOrder(ids.toReversed()))]);
    expect(attempts).toBeGreaterThan(2);
    const { rows } = await database.system(run(sql`select name from organisations where id in (${sql.join(ids)})`));
    expect(rows).toEqual([{ name: 'xx' }, { name: 'xx' }]);
  });
});

test('days stay text, counts are numbers, moments are dates, lists are lists', async () => {
  const { rows } = await database.system(
    run(sql`select date '2024-02-29' as day, array[date '2024-02-29', null] as days, count(*) as count, array[1, 2]::bigint[] as counts,
      timestamptz '2024-02-29 12:00:00.123+00' as moment, array['a', 'b,"c'] as list, '{"a": [1]}'::jsonb as json, '\\x00ff'::bytea as bytes`),
  );
  expect(rows).toEqual([
    {
      ...{ day: '2024-02-29', days: ['2024-02-29', null], count: 1, counts: [1, 2] },
      ...{
        moment: new Date('2024-02-29T12:00:00.123Z'),
        list: ['a', 'b,"c'],
        json: { a: [1] },
        bytes: Buffer.from([0, 255]),
      },
    },
  ]);
});

test('a number too large to be exact is an error, not another number', async () => {
  await expect(database.system(run(sql`select 9007199254740993 as n`))).rejects.toThrow('cannot hold exactly');
});
