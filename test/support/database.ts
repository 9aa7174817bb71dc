import path from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../src/service/db/database.js';
import { openDatabase } from '../../src/service/db/open.js';
import { copyTemplate, createDatabase } from './database-template.js';

/** Which database this run of the tests is on. */
export const kind = inject('databaseKind');

let opened: Promise<Database> | undefined;

/**
 * The worker's database, migrated and shared by all its test files: a test keeps to organisations of its own, and does
 * not close it. It ends with the worker; its folder, or its database on PostgreSQL, is removed after the run.
 */
export function testDatabase(): Promise<Database> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Database> {
  return kind === 'embedded'
    ? openDatabase({ dataDir: await newDataDir() })
    : openDatabase({ databaseUrl: await newDatabaseUrl() });
}

let made = 0;

/** A data folder of the caller's own, with an empty database of this version's schema in it; removed after the run. */
export async function newDataDir(): Promise<string> {
  made += 1;
  const dataDir = path.join(inject('runFolder'), `${process.pid}-${made}`);
  await copyTemplate(inject('databaseTemplate'), dataDir);
  return dataDir;
}

/** An empty database of the caller's own on PostgreSQL; removed after the run. */
export async function newDatabaseUrl(): Promise<string> {
  const server = process.env['TEST_DATABASE_URL'];
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set.');
  made += 1;
  return createDatabase(server, `${inject('runName')}_${process.pid}_${made}`);
}
