import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from './build.js';
import { dropDatabasesOfRun, prepareTemplate } from './database-template.js';

declare module 'vitest' {
  interface ProvidedContext {
    databaseKind: 'embedded' | 'postgres';
    /** A data folder with an empty database of the current schema, to copy from. */
    databaseTemplate: string;
    /** Deleted after the run; workers keep their database's folder here. */
    runFolder: string;
    /** Prefix of the names of the run's databases on PostgreSQL. */
    runName: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await build();
  const runFolder = await mkdtemp(path.join(tmpdir(), 'postern-test-'));
  const runName = `postern_test_${path.basename(runFolder).slice(-6).toLowerCase()}_${process.pid}`;
  project.provide('runFolder', runFolder);
  project.provide('runName', runName);
  project.provide('databaseTemplate', await prepareTemplate());
  return async () => {
    await rm(runFolder, { recursive: true, force: true });
    const server = process.env['TEST_DATABASE_URL'];
    if (server) await dropDatabasesOfRun(server, runName);
  };
}
