import path from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../src/service/db/database.js';
import { openDatabase } from '../../src/service/db/open.js';
import { copyTemplate, createDatabase } from './database-template.js';
import { oneTransactionAtATime } from './one-transaction.js';
import { patientLimits } from './patient-limits.js';

/** The kind of database that this test run uses. */
export const kind = inject('databaseKind');

let opened: Promise<Database> | undefined;

/**
 * The migrated database of this test worker. All its test files share it, so a test creates its organisations and does not
 * close the database. It is closed with the worker, and its folder or its PostgreSQL database is removed after the run.
 */
export function testDatabase(): Promise<Database> {
  opened ??= open();
  return opened;
}

/** On a loaded machine no request of a test is refused because others wait. */
const patience = { requestWaitMs: patientLimits.maxWaitMs, oneTransactionMs: 2_000 };

async function open(): Promise<Database> {
  const location = kind === 'embedded' ? { dataDir: await newDataDir() } : { databaseUrl: await newDatabaseUrl() };
  return oneTransactionAtATime(await openDatabase(location, patience));
}

let made = 0;

/** Creates a data folder with an empty database of the current schema. It is removed after the run. */
export async function newDataDir(): Promise<string> {
  made += 1;
  const dataDir = path.join(inject('runFolder'), `${process.pid}-${made}`);
  await copyTemplate(inject('databaseTemplate'), dataDir);
  return dataDir;
}

/** Creates an empty database on PostgreSQL. It is removed after the run. */
export async function newDatabaseUrl(): Promise<string> {
  const server = process.env['TEST_DATABASE_URL'];
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set.');
  made += 1;
  return createDatabase(server, `${inject('runName')}_${process.pid}_${made}`);
}
