import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Kysely } from 'kysely';
import { escapeLiteral, type Pool } from 'pg';
import type { Database, Transaction } from './database.js';
import { poolDialect } from './dialect.js';
import { openEmbedded } from './embedded/embedded.js';
import { lockFolder } from './embedded/folder-lock.js';
import { migrate } from './migrate.js';
import { openPostgres, openPostgresForMigration } from './postgres.js';
import type { Schema } from './schema.js';
import { inTransaction } from './transactions.js';
import { startUpkeep } from './upkeep.js';

/** The embedded database in a data folder, or a PostgreSQL server. `workerUrl` is for a build in another place. */
export type DatabaseLocation =
  | { readonly dataDir: string; readonly workerUrl?: URL }
  | { readonly databaseUrl: string };

/**
 * Opens a database and brings it to this version's schema. Errors say what to do. A folder can be in use by another
 * process (`FolderHeldError`), contain no database or be unreadable. A server can be unreachable, or its user lack a
 * privilege.
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  return 'dataDir' in location ? openInFolder(location.dataDir, location.workerUrl) : openAt(location.databaseUrl);
}

async function openInFolder(dataDir: string, workerUrl: URL | undefined): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  const opened: (() => Promise<void>)[] = [async () => lock.release()];
  const close = async () => {
    for (const undo of opened.splice(0).reverse()) await undo();
  };
  try {
    const embedded = await openEmbedded(path.join(dataDir, 'database'), workerUrl);
    opened.push(() => embedded.close());
    opened.push(() => embedded.pool.end());
    await migrate(embedded.pool);
    opened.push(startUpkeep(embedded.pool).stop);
    return new PooledDatabase(embedded.pool, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function openAt(databaseUrl: string): Promise<Database> {
  const migrating = openPostgresForMigration(databaseUrl);
  try {
    await migrate(migrating);
  } finally {
    await migrating.end();
  }
  const pool = openPostgres(databaseUrl);
  return new PooledDatabase(pool, () => pool.end());
}

class PooledDatabase implements Database {
  readonly #db: Kysely<Schema>;
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | undefined;

  constructor(pool: Pool, close: () => Promise<void>) {
    this.#db = new Kysely<Schema>({ dialect: poolDialect(pool) });
    this.#close = close;
  }

  /**
   * The settings last until the transaction ends. Compiling queries (`jit`) is off: it takes up to a second where the
   * planner expects many rows, longer than queries for one page take.
   */
  tenant<T>(organisationId: string, work: (tx: Transaction) => Promise<T>, changeSet = 0): Promise<T> {
    const settings = `set_config('postern.change_set', '${changeSet}', true), set_config('postern.organisation_id', ${escapeLiteral(organisationId)}, true), set_config('role', 'postern_tenant', true), set_config('jit', 'off', true)`;
    return this.#transact(`begin; select ${settings}`, work);
  }

  system<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transact('begin', work);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #transact<T>(opening: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(opening, () => this.#db.transaction().execute(work));
  }
}
