import { openPostgresForMigration } from './postgres.js';

/** Any number that no other program of the database uses: "postern" in ASCII. */
const lockId = 0x70_6f_73_74_65_72_6en;

/**
 * Runs the work while no other process does so on this database: of several that start at once on an empty one, one makes it
 * and the others find it made. The lock is a transaction's: it ends with a process that dies, and a pool between (pgbouncer) keeps
 * none of it.
 */
export async function withStartLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const pool = openPostgresForMigration(databaseUrl);
  try {
    // Kept in use: the pool closes an idle connection after a while, and the lock would go with it.
    const client = await pool.connect();
    client.on('error', () => {});
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [String(lockId)]);
      return await work();
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}
