import path from 'node:path';
import { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { poolDialect } from '../../../src/service/db/dialect.js';
import { openEmbedded } from '../../../src/service/db/embedded/embedded.js';
import { openPostgresForMigration } from '../../../src/service/db/postgres.js';
import { prepareTenantRole } from '../../../src/service/db/tenant-role.js';
import { kind, newDatabaseUrl, newDataDir } from '../../support/database.js';

interface EmptyDatabase {
  readonly pool: Pool;
  readonly close: () => Promise<void>;
}

/** A database for migrations alone, with the role of tenants. The caller closes it. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const opened = kind === 'embedded' ? await inFolder() : await onServer();
  await prepareTenantRole(new Kysely<unknown>({ dialect: poolDialect(opened.pool) }));
  return opened;
}

async function onServer(): Promise<EmptyDatabase> {
  const pool = openPostgresForMigration(await newDatabaseUrl());
  return { pool, close: () => pool.end() };
}

async function inFolder(): Promise<EmptyDatabase> {
  const embedded = await openEmbedded(path.join(await newDataDir(), 'earlier'));
  const close = async () => {
    await embedded.pool.end();
    await embedded.close();
  };
  return { pool: embedded.pool, close };
}
