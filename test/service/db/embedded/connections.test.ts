import path from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Pool } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { attachedPool } from '../../../../src/service/db/embedded/database-port.js';
import { type EmbeddedPostgres, openEmbedded } from '../../../../src/service/db/embedded/embedded.js';
import { kind, newDataDir } from '../../../support/database.js';
import { eventually } from '../../../support/eventually.js';

let database: EmbeddedPostgres | undefined;
const lines: MessagePort[] = [];
afterEach(async () => {
  for (const line of lines.splice(0)) line.close();
  await database?.pool.end();
  await database?.close();
});

/** The pool of the main thread, and one of a port as another thread has it. */
async function open(): Promise<{ readonly main: Pool; readonly other: Pool; readonly line: MessagePort }> {
  database = await openEmbedded(path.join(await newDataDir(), 'database'));
  await database.pool.query('create table kept (x int)');
  const line = database.attach();
  lines.push(line);
  return { main: database.pool, other: attachedPool(line), line };
}

const countOf = async (pool: Pool) => (await pool.query('select count(*)::int as count from kept')).rows[0].count;

describe.runIf(kind === 'embedded')('two connections to the embedded database', () => {
  test('have their transactions one after the other, each of them whole', async () => {
    const { main, other } = await open();
    const client = await other.connect();
    await client.query('begin');
    await client.query('insert into kept values (1)');
    let answered = false;
    const waiting = countOf(main).then((count) => {
      answered = true;
      return count;
    });
    await client.query('insert into kept values (2)');
    await client.query('select pg_sleep(0.2)');
    expect(answered).toBe(false);
    await client.query('commit');
    expect(await waiting).toBe(2);
    client.release();
    await other.end();
  });

  test('alternate: one with much to do lets the other in between two transactions', async () => {
    const { main, other } = await open();
    const client = await other.connect();
    let done = 0;
    const many = Array.from({ length: 200 }, () =>
      client.query('insert into kept select 1 from generate_series(1, 2000)').then(() => {
        done += 1;
      }),
    );
    await eventually(() => expect(done).toBeGreaterThan(0));
    await countOf(main);
    expect(done).toBeLessThan(200);
    await Promise.all(many);
    client.release();
    await other.end();
  });

  test('do not share a role or settings of a transaction', async () => {
    const { main, other } = await open();
    const client = await other.connect();
    await client.query("begin; select set_config('role', 'postern_tenant', true), set_config('a.b', 'c', true)");
    const seen = main.query("select current_user::text as name, current_setting('a.b', true) as setting");
    await client.query('commit');
    expect((await seen).rows).toEqual([{ name: 'postgres', setting: '' }]);
    client.release();
    await other.end();
  });

  test('go on where a thread ends in the middle of a transaction, which is then rolled back', async () => {
    const { main, other, line } = await open();
    const client = await other.connect();
    const failed = new Promise<Error>((resolve) => client.on('error', resolve));
    await client.query('begin');
    await client.query('insert into kept values (1)');
    await client.query('set role postern_tenant');
    line.close();
    expect(await countOf(main)).toBe(0);
    expect((await main.query('select current_user::text as name')).rows).toEqual([{ name: 'postgres' }]);
    expect((await failed).message).toContain('has stopped');
  });
});
