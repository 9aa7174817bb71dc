import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { openEmbedded } from '../db/embedded/embedded.js';
import { lockFolder } from '../db/embedded/folder-lock.js';
import { acceptStaging, contentOf, finishRestore, newStagingFolder } from '../db/embedded/restored-folder.js';
import { migrations } from '../db/migrations/index.js';
import { BackupError, databaseName } from './backup-format.js';
import { unpackBackup } from './unpack-backup.js';

interface Restored {
  readonly postern: string;
  readonly made_at: string;
  readonly organisations: number;
}

/**
 * Restores a backup into a data folder that is empty or not there. The folder stays as it was until all of the backup is written,
 * compared with its checksums, and its database was opened once.
 *
 * @param workerUrl for a build in another place
 * @throws BackupError, FolderHeldError where a process has the folder open, or an error of the system
 */
export async function restoreBackup(file: string, dataDir: string, workerUrl?: URL): Promise<Restored> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  try {
    finishRestore(dataDir);
    const [known] = contentOf(dataDir);
    if (known !== undefined) {
      throw new BackupError(
        `${dataDir} is not empty (${known}), and nothing is overwritten: move it away, or name another folder with DATA_DIR`,
      );
    }
    const staging = newStagingFolder(dataDir);
    const { postern, made_at } = await unpackBackup(file, staging);
    const organisations = await tryDatabase(path.join(staging, databaseName), postern, workerUrl);
    acceptStaging(dataDir);
    return { postern, made_at, organisations };
  } finally {
    finishRestore(dataDir);
    lock.release();
  }
}

const applied = z.array(z.object({ name: z.string() }));
const counted = z.tuple([z.object({ count: z.coerce.number() })]);

/** Opens the database, which repairs it by its log, and looks whether this version knows its schema. */
async function tryDatabase(folder: string, version: string, workerUrl: URL | undefined): Promise<number> {
  const { pool, close } = await openEmbedded(folder, workerUrl);
  try {
    const names = applied.parse((await pool.query('select name from kysely_migration')).rows);
    const unknown = names.find(({ name }) => !Object.hasOwn(migrations, name));
    if (unknown !== undefined) {
      throw new BackupError(
        `the backup is of Postern ${version}, which is newer (${unknown.name}): install that version`,
      );
    }
    return counted.parse((await pool.query('select count(*) as count from organisations')).rows)[0].count;
  } finally {
    await pool.end();
    await close();
  }
}
