import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../src/service/db/open.js';
import { root } from './build.js';

const cache = path.join(root, 'node_modules/.cache/postern-test-database');

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Prepares a data folder with an empty, migrated database. To create one takes seconds, to copy it much less. It is kept
 * between runs under the hash of its inputs.
 */
export async function prepareTemplate(): Promise<string> {
  const template = path.join(cache, await fingerprint());
  if (existsSync(template)) return template;
  await removeOld();
  const fresh = path.join(cache, `new-${randomUUID()}`);
  await mkdir(fresh, { recursive: true });
  const database = await openDatabase({ dataDir: fresh });
  await database.close();
  try {
    await rename(fresh, template);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(template)) throw error;
    await rm(fresh, { recursive: true });
  }
  return template;
}

/** Copies the template's database into a data folder. */
export async function copyTemplate(template: string, dataDir: string): Promise<void> {
  await cp(template, dataDir, { recursive: true });
}

/** Creates a database on the server of TEST_DATABASE_URL. Returns its URL. */
export async function createDatabase(server: string, name: string): Promise<string> {
  await onServer(server, (client) => client.query(`create database ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabasesOfRun(server: string, runName: string): Promise<void> {
  await onServer(server, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [runName],
    );
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  });
}

async function onServer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Removes templates of earlier schemas, and the remains of killed runs. */
async function removeOld(): Promise<void> {
  await mkdir(cache, { recursive: true });
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(path.join(cache, name));
    if (Date.now() - mtimeMs > dayMs) await rm(path.join(cache, name), { recursive: true, force: true });
  }
}

async function fingerprint(): Promise<string> {
  const db = path.join(root, 'src/service/db');
  const made = [
    path.join(root, 'node_modules/@electric-sql/pglite/package.json'),
    path.join(db, 'embedded/database-worker.ts'),
  ];
  made.push(path.join(db, 'embedded/durable-fs.ts'), path.join(db, 'migrate.ts'), path.join(db, 'tenant-role.ts'));
  for (const name of (await readdir(path.join(db, 'migrations'))).sort()) made.push(path.join(db, 'migrations', name));
  const hash = createHash('sha256');
  for (const file of made) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
