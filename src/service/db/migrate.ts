import { Kysely, Migrator } from 'kysely';
import type { Pool } from 'pg';
import { poolDialect } from './dialect.js';
import { migrations } from './migrations/index.js';
import { prepareTenantRole } from './tenant-role.js';

/** Brings a database to this version's schema. Processes that do so at the same time wait for each other. */
export async function migrate(pool: Pool): Promise<void> {
  const db = new Kysely<unknown>({ dialect: poolDialect(pool) });
  await prepareTenantRole(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(
    `Cannot bring the database to this version's schema${failed ? ` (migration ${failed})` : ''}: ${reason}`,
    {
      cause: error,
    },
  );
}
