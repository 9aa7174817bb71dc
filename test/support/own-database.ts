import type { Database } from '../../src/service/db/database.js';
import { openDatabase } from '../../src/service/db/open.js';
import { kind, newDatabaseUrl, newDataDir } from './database.js';

/** A database of the test file's own: feeds are global, and a whole KEV catalogue replaces every other entry. */
export async function ownDatabase(): Promise<Database> {
  return kind === 'embedded'
    ? openDatabase({ dataDir: await newDataDir() })
    : openDatabase({ databaseUrl: await newDatabaseUrl() });
}
