import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';
import { openEmbedded } from '../../src/service/db/embedded/embedded.js';
import type { DatabaseLocation } from '../../src/service/db/open.js';
import { openPostgresForMigration } from '../../src/service/db/postgres.js';

const workerUrl = pathToFileURL(path.resolve('dist/database-worker.js'));

/** The PostgreSQL of DATABASE_URL, or the embedded database in the folder. */
export function volumeLocation(dataDir: string): DatabaseLocation {
  const databaseUrl = process.env['DATABASE_URL'];
  return databaseUrl === undefined ? { dataDir, workerUrl } : { databaseUrl };
}

/** Vacuums the database as its autovacuum would: it has statistics and a visibility map then. */
export async function vacuum(location: DatabaseLocation): Promise<void> {
  if ('databaseUrl' in location) {
    const pool = openPostgresForMigration(location.databaseUrl);
    await vacuumAll(pool);
    await pool.end();
    return;
  }
  await mkdir(location.dataDir, { recursive: true });
  const { pool, close } = await openEmbedded(path.join(location.dataDir, 'database'), workerUrl);
  await vacuumAll(pool);
  await pool.end();
  await close();
}

async function vacuumAll(pool: Pool): Promise<void> {
  await pool.query('vacuum analyze');
}
