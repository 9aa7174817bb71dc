import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { keptFiles } from '../service/backup/backup-format.js';
import { requireDatabase } from '../service/backup/database-files.js';
import { packBackup } from '../service/backup/pack-backup.js';
import { requestBackup } from '../service/backup/request-backup.js';
import { restoreBackup } from '../service/backup/restore.js';
import { requireNewFile, type SavedBackup, saveBackup } from '../service/backup/save-backup.js';
import { lockFolder, readHolder } from '../service/db/embedded/folder-lock.js';
import { codeOfError } from '../shared/errors/code-of-error.js';
import { formatCount } from '../shared/text/number-text.js';
import { inDataFolder } from './data-folder.js';
import { type OperatorSettings, runningServiceOf } from './database-or-service.js';
import { reporting } from './reporting.js';

const onServer =
  'DATABASE_URL is set, and this command is for the database in DATA_DIR: back up a PostgreSQL server with its own tools (pg_dump, pg_basebackup)';

/** `postern backup FILE`. Settings are read when it runs. */
export function backupCommand(settings: () => OperatorSettings): Command {
  return new Command('backup')
    .description('write the embedded database and its keys to a new file, also while a server runs')
    .argument('<file>', 'as backup-2026-11-23.tar.gz; a file that exists is never overwritten')
    .action((file: string) =>
      reporting('backup', async () => {
        const { bytes, sha256 } = await backUp(settings(), resolve(file));
        process.stdout.write(
          `${file}: ${formatCount(bytes)} bytes, SHA-256 ${sha256}\n` +
            `It holds the database and, where DATA_DIR has them, ${keptFiles.join(', ')}: keep it as secret as they are.\n` +
            'JWT_SECRET, SECRETS_KEY and OPERATOR_KEY are not in it: where you set them, keep them too.\n',
        );
      }),
    );
}

/** `postern restore FILE`. */
export function restoreCommand(settings: () => OperatorSettings): Command {
  return new Command('restore')
    .description('restore a backup into DATA_DIR, which must be empty or not there')
    .argument('<file>', 'what `postern backup` has written')
    .action((file: string) =>
      reporting('restore', async () => {
        const { dataDir, databaseUrl } = settings();
        if (databaseUrl !== undefined) throw new Error(onServer);
        await requireReadable(resolve(file));
        const restored = await inDataFolder(dataDir, () => restoreBackup(resolve(file), dataDir));
        process.stdout.write(
          `Restored into ${dataDir}: ${restored.organisations} organisations, as of ${restored.made_at} (Postern ${restored.postern}).\n`,
        );
      }),
    );
}

async function backUp(settings: OperatorSettings, file: string): Promise<SavedBackup> {
  const { dataDir, databaseUrl } = settings;
  if (databaseUrl !== undefined) throw new Error(onServer);
  requireNewFile(file);
  const service = await runningServiceOf(settings);
  if (service !== null) return requestBackup(service, (packed) => saveBackup(packed, file));
  if (readHolder(dataDir) === null) return backUpAtRest(dataDir, file);
  throw new Error(`a process holds ${dataDir} and does not serve yet: try again`);
}

/** Before the data folder is made. */
async function requireReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new Error(`${file} cannot be read (${codeOfError(error)})`, { cause: error });
  });
}

/** Nobody has the database open: its files are copied as they are. */
async function backUpAtRest(dataDir: string, file: string): Promise<SavedBackup> {
  const version = manifest.version;
  requireDatabase(dataDir);
  const lock = await inDataFolder(dataDir, async () => lockFolder(dataDir));
  try {
    const archive = packBackup({ dataDir, database: null, version });
    const packed = createGzip({ level: 1 });
    const [saved] = await Promise.all([saveBackup(packed, file), pipeline(archive, packed)]);
    return saved;
  } finally {
    lock.release();
  }
}
