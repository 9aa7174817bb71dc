import { type Dirent, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { BackupError } from './backup-format.js';

/** Folders whose content a running server makes anew, or that the backup fills in another way (PostgreSQL's documentation, 25.3.4). */
const emptied: ReadonlySet<string> = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans', 'pg_dynshmem'],
]);

const ofTheProcess: ReadonlySet<string> = new Set(['postmaster.pid', 'postmaster.opts']);
const temporary = /^(?:pgsql_tmp|pg_internal\.init)/;
const walSegment = /^[0-9A-F]{24}$/;

/** Where the server says up to which point of the log it has written everything: to be copied after all other files. */
export const controlFile = 'global/pg_control';

/** A file or, where `isFolder`, a folder; its path is relative to the database's folder. */
export interface DatabaseEntry {
  readonly path: string;
  readonly isFolder: boolean;
}

/** All files of a database that nobody has open. */
export function filesAtRest(folder: string): AsyncGenerator<DatabaseEntry> {
  return entriesIn(folder, '', () => true);
}

/** The files of a database that a server has open, but for its log and `controlFile`. They may vanish meanwhile. */
export function filesInUse(folder: string): AsyncGenerator<DatabaseEntry> {
  return entriesIn(
    folder,
    '',
    (entry) =>
      !emptied.has(path.posix.dirname(entry)) && !temporary.test(path.posix.basename(entry)) && entry !== controlFile,
  );
}

/** The segments of the log that there are, the oldest first. */
export async function logSegments(folder: string): Promise<DatabaseEntry[]> {
  const names = (await readdir(path.join(folder, 'pg_wal'))).filter((name) => walSegment.test(name)).sort();
  return names.map((name) => ({ path: `pg_wal/${name}`, isFolder: false }));
}

/** Throws where a data folder has no database that could be copied. */
export function requireDatabase(dataDir: string): string {
  const folder = path.join(dataDir, 'database');
  if (!existsSync(path.join(folder, 'PG_VERSION')) || existsSync(`${folder}.incomplete`)) {
    throw new BackupError(`${dataDir} holds no database: name the data folder with DATA_DIR`);
  }
  return folder;
}

async function* entriesIn(
  root: string,
  folder: string,
  isWanted: (entry: string) => boolean,
): AsyncGenerator<DatabaseEntry> {
  for (const entry of await namesIn(path.join(root, folder))) {
    const name = path.posix.join(folder, entry.name);
    if (ofTheProcess.has(name) || !isWanted(name)) continue;
    if (entry.isDirectory()) {
      yield { path: name, isFolder: true };
      yield* entriesIn(root, name, isWanted);
    } else if (entry.isFile()) yield { path: name, isFolder: false };
  }
}

async function namesIn(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOfError(error) === 'ENOENT') return [];
    throw error;
  }
}
