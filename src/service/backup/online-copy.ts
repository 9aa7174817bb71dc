import { sql } from 'kysely';
import type { Database } from '../db/database.js';
import { dropBackupSlot, makeBackupSlot } from '../db/embedded/backup-slot.js';

/** A copy of the database's files that is being made while the database is in use. */
interface OnlineCopy {
  /** Ends the copy. Answers what belongs into its file `backup_label`; the log is kept until `release`. */
  readonly end: () => Promise<string>;
  /** To be called in any case. */
  readonly release: () => Promise<void>;
}

/**
 * Begins PostgreSQL's own backup of a running server: files may then be copied one after the other while others write, because the
 * log of that time repairs them. Others wait for one checkpoint and no longer. A slot keeps the log from being recycled meanwhile.
 */
export async function beginOnlineCopy(database: Database): Promise<OnlineCopy> {
  await database.system(async (tx) => {
    await sql.raw(dropBackupSlot).execute(tx);
    await sql.raw(makeBackupSlot).execute(tx);
  });
  const release = async () => {
    await database.system((tx) => sql.raw(dropBackupSlot).execute(tx));
  };
  let isEnded = false;
  try {
    await database.system((tx) => sql`select pg_backup_start('postern', true)`.execute(tx));
  } catch (error) {
    await release();
    throw error;
  }
  const end = async () => {
    isEnded = true;
    const stop = sql<{ labelfile: string }>`select labelfile from pg_backup_stop(false)`;
    const { rows } = await database.system((tx) => stop.execute(tx));
    return rows[0]?.labelfile ?? '';
  };
  return {
    end,
    async release() {
      if (!isEnded) await end();
      await release();
    },
  };
}
