import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { eventLoop } from '../../shared/limits/event-loop.js';
import type { Database, SharedDatabase } from './database.js';
import { dropBackupSlot } from './embedded/backup-slot.js';
import { attachedPool } from './embedded/database-port.js';
import { openEmbedded } from './embedded/embedded.js';
import { lockFolder } from './embedded/folder-lock.js';
import { finishRestore } from './embedded/restored-folder.js';
import { migrate } from './migrate.js';
import { PooledDatabase } from './pooled-database.js';
import {
  maxConnections,
  openPostgres,
  openPostgresForMigration,
  sharedConnections,
  transactionLimits,
} from './postgres.js';
import { withStartLock } from './start-lock.js';
import { turnsOfPool } from './transaction-turns.js';
import { unusableDatabase } from './unusable-database.js';
import { startUpkeep } from './upkeep.js';

/** The embedded database in a data folder, or a PostgreSQL server. `workerUrl` is for a build in another place. */
export type DatabaseLocation =
  | { readonly dataDir: string; readonly workerUrl?: URL }
  | { readonly databaseUrl: string };

type Waiting = Pick<Database, 'requestWaitMs' | 'oneTransactionMs'>;

/**
 * Opens a database and brings it to this version's schema. Errors say what to do. A folder can be in use by another
 * process (`FolderHeldError`), contain no database or be unreadable. A server can be unreachable, or its user lack a
 * privilege.
 */
export async function openDatabase(location: DatabaseLocation, waiting: Partial<Waiting> = {}): Promise<Database> {
  return 'dataDir' in location
    ? openInFolder(location.dataDir, location.workerUrl, waiting)
    : openAt(location.databaseUrl, waiting);
}

async function openInFolder(dataDir: string, workerUrl: URL | undefined, waiting: Partial<Waiting>): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  const opened: (() => Promise<void>)[] = [async () => lock.release()];
  const close = async () => {
    for (const undo of opened.splice(0).reverse()) await undo();
  };
  try {
    finishRestore(dataDir);
    const embedded = await openEmbedded(path.join(dataDir, 'database'), workerUrl);
    opened.push(() => embedded.close());
    opened.push(() => embedded.pool.end());
    await embedded.pool.query(dropBackupSlot);
    await migrate(embedded.pool);
    opened.push(startUpkeep(embedded.pool));
    const turns = turnsOfPool(1);
    const share = () => ({ kind: 'embedded', line: embedded.attach(), turns }) as const;
    return new PooledDatabase({ pool: embedded.pool, turns, close, share, isAlone: true, ...waiting });
  } catch (error) {
    await close();
    throw error;
  }
}

async function openAt(databaseUrl: string, waiting: Partial<Waiting>): Promise<Database> {
  const migrating = openPostgresForMigration(databaseUrl);
  try {
    await withStartLock(databaseUrl, () => migrate(migrating));
  } catch (error) {
    throw unusableDatabase(error);
  } finally {
    await migrating.end();
  }
  const pool = openPostgres(databaseUrl);
  return new PooledDatabase({
    pool,
    turns: turnsOfPool(maxConnections),
    nextTurn: (lane) => eventLoop.next(lane),
    close: () => pool.end(),
    isAlone: false,
    limits: transactionLimits,
    share: () => ({ kind: 'server', databaseUrl }),
    ...waiting,
  });
}

/** The database that another thread has opened, by connections of this thread's own. `share` is for the thread that opened it. */
export function openShared(shared: SharedDatabase): Database {
  const isEmbedded = shared.kind === 'embedded';
  const pool = isEmbedded ? attachedPool(shared.line) : openPostgres(shared.databaseUrl, { max: sharedConnections });
  const close = async () => {
    await pool.end();
    if (isEmbedded) shared.line.close();
  };
  const turns = isEmbedded ? shared.turns : turnsOfPool(sharedConnections);
  const limits = isEmbedded ? {} : transactionLimits;
  return new PooledDatabase({ pool, turns, close, isAlone: false, limits, share: () => shared });
}
