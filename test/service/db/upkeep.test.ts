import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../../../src/service/db/embedded/embedded.js';
import { vacuumDueTables } from '../../../src/service/db/upkeep.js';
import { kind, newDataDir } from '../../support/database.js';

async function open() {
  const { pool, close } = await openEmbedded(path.join(await newDataDir(), 'database'));
  onTestFinished(async () => {
    await pool.end();
    await close();
  });
  return pool;
}

test.runIf(kind === 'embedded')(
  'tables that have changed much are vacuumed and analysed, others are left alone',
  async () => {
    const pool = await open();
    await pool.query('create table "Large" (n integer); create table small (n integer)');
    await pool.query('insert into "Large" select generate_series(1, 5000); insert into small values (1)');
    await pool.query('update "Large" set n = n + 1');
    expect(await vacuumDueTables(pool)).toContain('Large');
    const { rows } = await pool.query(
      `select relname, n_dead_tup, last_analyze is not null as analysed from pg_stat_user_tables
      where relname in ('Large', 'small') order by relname`,
    );
    expect(rows).toEqual([
      { relname: 'Large', n_dead_tup: 0, analysed: true },
      { relname: 'small', n_dead_tup: 0, analysed: false },
    ]);
    expect(await vacuumDueTables(pool)).toEqual([]);
  },
);

test.runIf(kind === 'embedded')(
  'statistics come from a sample that is read in a moment, however large the table',
  async () => {
    const pool = await open();
    await pool.query('create table large as select n from generate_series(1, 20000) as n');
    expect(await vacuumDueTables(pool)).toContain('large');
    const { rows } = await pool.query(
      `select cardinality(histogram_bounds::text::text[]) as bounds from pg_stats where tablename = 'large'`,
    );
    expect(rows).toEqual([{ bounds: 11 }]);
  },
);
