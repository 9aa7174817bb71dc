import { setTimeout } from 'node:timers/promises';
import { openPostgresForMigration } from './postgres.js';

/** Any number that no other program of the database uses: "postern" in ASCII. */
const lockId = 0x70_6f_73_74_65_72_6en;

/** Milliseconds. */
const askEveryMs = 200;

/**
 * Runs the work while no other process does so on this database: of several that start at once on an empty one, one makes it
 * and the others find it made. The lock is a transaction's: it ends with a process that dies, and a pool between (pgbouncer) keeps
 * none of it. Who waits for it asks again and again, in no transaction meanwhile: a waiting one would keep a connection of a small
 * pool from the one that works.
 */
export async function withStartLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const pool = openPostgresForMigration(databaseUrl);
  try {
    // Kept in use: the pool closes an idle connection after a while, and the lock would go with it.
    const client = await pool.connect();
    client.on('error', () => {});
    try {
      for (;;) {
        await client.query('begin');
        const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
          String(lockId),
        ]);
        if (rows[0]?.locked === true) return await work();
        await client.query('rollback');
        await setTimeout(askEveryMs);
      }
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}
