import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { openDatabase } from '../../src/service/db/open.js';
import { eventually } from '../support/eventually.js';
import { emptyFolder, folderWithDatabase, startPosternProgram } from './running-postern.js';

const firstRun = z.object({
  admin: z.object({ email: z.string(), password: z.string() }),
  keys: z.object({ read_only: z.string(), read_write: z.string() }),
});

function firstRunOf(dataDir: string) {
  return firstRun.parse(JSON.parse(readFileSync(path.join(dataDir, 'first-run.json'), 'utf8')));
}

async function stop(server: ReturnType<typeof startPosternProgram>): Promise<void> {
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}

/** The rows of each table, by its name. Nobody has the folder open. */
async function rowsOf(dataDir: string): Promise<Record<string, number>> {
  const database = await openDatabase({ dataDir });
  try {
    return await database.system(async (tx) => {
      const tables = await sql<{ name: string }>`select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by 1`.execute(tx);
      const counted: Record<string, number> = {};
      for (const { name } of tables.rows) {
        const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(tx);
        counted[name] = rows[0]?.count ?? -1;
      }
      return counted;
    });
  } finally {
    await database.close();
  }
}

/** A data folder with a table of 32 MB that no packer makes smaller: a backup of it takes a while. */
async function folderWithLargeTable(): Promise<string> {
  const dataDir = await folderWithDatabase();
  const database = await openDatabase({ dataDir });
  await database.system(async (tx) => {
    await sql`create table large (bytes bytea)`.execute(tx);
    await sql`alter table large alter column bytes set storage external`.execute(tx);
    await sql`insert into large select string_agg(sha512((f * 100000 + g)::text::bytea), ''::bytea)
      from generate_series(1, 64) f, generate_series(1, 8192) g group by f`.execute(tx);
  });
  await database.close();
  return dataDir;
}

const names = (folder: string) => readdirSync(folder).sort();

const project = (url: string, key: string, name: string) =>
  fetch(`${url}/api/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });

test('a backup of a running server, while others write, has all that was written before it; its keys open what it restores', async () => {
  const [dataDir, folder] = [await folderWithDatabase(), await emptyFolder()];
  const server = startPosternProgram({ DATA_DIR: dataDir });
  const url = await server.ready();
  const { admin, keys } = firstRunOf(dataDir);
  for (let number = 0; number < 5; number += 1) {
    expect((await project(url, keys.read_write, `before ${number}`)).status).toBe(200);
  }
  const file = path.join(folder, 'backup.tar.gz');
  const backup = startPosternProgram({ DATA_DIR: dataDir }, 'backup', file);
  let isOver = false;
  const finished = backup.ended.then((code) => {
    isOver = true;
    return code;
  });
  for (let number = 0; !isOver; number += 1) {
    expect((await project(url, keys.read_write, `meanwhile ${number}`)).status).toBe(200);
  }
  expect([await finished, backup.stderr()]).toEqual([0, '']);
  expect(backup.stdout()).toMatch(/backup\.tar\.gz: [\d,]+ bytes, SHA-256 [0-9a-f]{64}\n/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(names(folder)).toEqual(['backup.tar.gz']);
  for (const secret of [admin.password, keys.read_write]) expect(backup.stdout()).not.toContain(secret);
  await stop(server);

  const restored = path.join(folder, 'made/here');
  const restore = startPosternProgram({ DATA_DIR: restored }, 'restore', file);
  expect([await restore.ended, restore.stderr()]).toEqual([0, '']);
  expect(restore.stdout()).toContain('1 organisations');
  expect(names(restored)).toEqual(['database', 'first-run.json', 'jwt.key', 'operator.key', 'secrets.key']);
  for (const name of ['first-run.json', 'jwt.key', 'operator.key', 'secrets.key']) {
    expect(statSync(path.join(restored, name)).mode & 0o777, name).toBe(0o600);
  }
  expect(statSync(path.join(restored, 'database')).mode & 0o777).toBe(0o700);

  const again = startPosternProgram({ DATA_DIR: restored });
  const at = await again.ready();
  const headers = { authorization: `Bearer ${keys.read_only}` };
  const listed = await (await fetch(`${at}/api/projects?page_size=100`, { headers })).json();
  const { items } = z.object({ items: z.array(z.object({ name: z.string() })) }).parse(listed);
  const kept = items.map(({ name }) => name);
  for (let number = 0; number < 5; number += 1) expect(kept).toContain(`before ${number}`);
  const session = await fetch(`${at}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  expect(session.status).toBe(200);
  await stop(again);
});

test('what is restored has the rows of each table, also from a backup of a folder that nobody has open', async () => {
  const [dataDir, folder] = [await folderWithDatabase(), await emptyFolder()];
  const server = startPosternProgram({ DATA_DIR: dataDir });
  await server.ready();
  const [running, stopped] = [path.join(folder, 'running'), path.join(folder, 'stopped')];
  expect(await startPosternProgram({ DATA_DIR: dataDir }, 'backup', running).ended).toBe(0);
  await stop(server);
  expect(await startPosternProgram({ DATA_DIR: dataDir }, 'backup', stopped).ended).toBe(0);
  const rows = await rowsOf(dataDir);
  expect(rows['alerts']).toBeGreaterThan(10);
  for (const file of [running, stopped]) {
    const restored = `${file}-restored`;
    expect(await startPosternProgram({ DATA_DIR: restored }, 'restore', file).ended).toBe(0);
    // The server's own clean-up work may write between the backup and the end of the server.
    const { webhook_attempts: _a, ...found } = await rowsOf(restored);
    const { webhook_attempts: _b, ...expected } = rows;
    expect(found).toEqual(expected);
  }
});

describe('a backup that is killed', () => {
  test('leaves the earlier one as it is, and no file of its name; the server goes on and makes the next', async () => {
    const [dataDir, folder] = [await folderWithLargeTable(), await emptyFolder()];
    const server = startPosternProgram({ DATA_DIR: dataDir, POSTERN_SAMPLE: 'false' });
    const url = await server.ready();
    const [earlier, later] = [path.join(folder, 'earlier'), path.join(folder, 'later')];
    expect(await startPosternProgram({ DATA_DIR: dataDir }, 'backup', earlier).ended).toBe(0);
    const bytes = readFileSync(earlier);
    const killed = startPosternProgram({ DATA_DIR: dataDir }, 'backup', later);
    await eventually(() => expect(names(folder).some((name) => name.endsWith('.part'))).toBe(true));
    killed.kill('SIGKILL');
    expect(await killed.ended).toBe('SIGKILL');
    expect(names(folder).filter((name) => !name.endsWith('.part'))).toEqual(['earlier']);
    expect(readFileSync(earlier).equals(bytes)).toBe(true);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await eventually(async () => {
      const next = startPosternProgram({ DATA_DIR: dataDir }, 'backup', later);
      expect([await next.ended, next.stderr()]).toEqual([0, '']);
    });
    await stop(server);
  });

  test('with its server leaves no file, and a folder that opens and keeps no log for it', async () => {
    const [dataDir, folder] = [await folderWithLargeTable(), await emptyFolder()];
    const server = startPosternProgram({ DATA_DIR: dataDir, POSTERN_SAMPLE: 'false' });
    await server.ready();
    const backup = startPosternProgram({ DATA_DIR: dataDir }, 'backup', path.join(folder, 'backup'));
    const slots = path.join(dataDir, 'database/pg_replslot');
    await eventually(() => expect([names(folder).length, names(slots)]).toEqual([1, ['postern_backup']]));
    server.kill('SIGKILL');
    expect(await backup.ended).toBe(1);
    expect(backup.stderr()).toMatch(/^postern backup: the service at \S+ could not be reached, or broke off/);
    expect(names(folder)).toEqual([]);
    expect(names(slots)).toEqual(['postern_backup']);
    const database = await openDatabase({ dataDir });
    onTestFinished(() => database.close());
    const { rows } = await database.system((tx) => sql`select 1 from pg_replication_slots`.execute(tx));
    expect(rows).toEqual([]);
  });
});

test('a restore that is killed leaves the folder empty, and can be run again', async () => {
  const [dataDir, folder] = [await folderWithLargeTable(), await emptyFolder()];
  const file = path.join(folder, 'backup');
  expect(await startPosternProgram({ DATA_DIR: dataDir }, 'backup', file).ended).toBe(0);
  const restored = path.join(folder, 'restored');
  const killed = startPosternProgram({ DATA_DIR: restored }, 'restore', file);
  await eventually(() => expect(names(path.join(restored, 'restore.new'))).toContain('database'));
  killed.kill('SIGKILL');
  expect(await killed.ended).toBe('SIGKILL');
  expect(names(restored)).toEqual(['lock.json', 'restore.new']);
  const again = startPosternProgram({ DATA_DIR: restored }, 'restore', file);
  expect([await again.ended, again.stderr()]).toEqual([0, '']);
  expect(await rowsOf(restored)).toEqual(await rowsOf(dataDir));
});

describe('is refused with the reason:', () => {
  const refusal = async (env: Record<string, string>, ...args: string[]) => {
    const command = startPosternProgram(env, ...args);
    expect([await command.ended, command.stdout()]).toEqual([1, '']);
    return command.stderr();
  };

  test('a backup to a file that exists, of a folder without a database, and of a server’s database', async () => {
    const folder = await emptyFolder();
    const [file, DATA_DIR] = [path.join(folder, 'file'), path.join(folder, 'none')];
    await writeFile(file, 'mine');
    expect(await refusal({ DATA_DIR }, 'backup', file)).toContain('exists, and nothing is overwritten');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await refusal({ DATA_DIR }, 'backup', path.join(folder, 'new'))).toContain('holds no database');
    const DATABASE_URL = 'postgres://127.0.0.1:1/none';
    expect(await refusal({ DATA_DIR, DATABASE_URL }, 'backup', path.join(folder, 'new'))).toContain('pg_dump');
    expect(await refusal({ DATA_DIR, DATABASE_URL }, 'restore', file)).toContain('pg_dump');
    expect(names(folder)).toEqual(['file']);
  });

  test('a backup with another operator key than the server’s', async () => {
    const [dataDir, folder] = [await folderWithDatabase(), await emptyFolder()];
    await startPosternProgram({ DATA_DIR: dataDir, POSTERN_SAMPLE: 'false' }).ready();
    const env = { DATA_DIR: dataDir, OPERATOR_KEY: 'x'.repeat(32) };
    expect(await refusal(env, 'backup', path.join(folder, 'backup'))).toContain('set OPERATOR_KEY');
    expect(names(folder)).toEqual([]);
  });

  test('a restore of a file that is not there, and into a folder that holds something or is in use', async () => {
    const [dataDir, folder] = [await folderWithDatabase(), await emptyFolder()];
    const file = path.join(folder, 'backup');
    expect(await refusal({ DATA_DIR: path.join(folder, 'new') }, 'restore', file)).toContain('cannot be read (ENOENT)');
    expect(names(folder)).toEqual([]);
    expect(await startPosternProgram({ DATA_DIR: dataDir }, 'backup', file).ended).toBe(0);
    expect(await refusal({ DATA_DIR: dataDir }, 'restore', file)).toContain('is not empty (database)');
    const other = path.join(folder, 'other');
    await mkdir(other);
    await writeFile(path.join(other, 'notes.txt'), 'mine');
    expect(await refusal({ DATA_DIR: other }, 'restore', file)).toContain('is not empty (notes.txt)');
    expect(names(other)).toEqual(['notes.txt']);
    await startPosternProgram({ DATA_DIR: dataDir, POSTERN_SAMPLE: 'false' }).ready();
    expect(await refusal({ DATA_DIR: dataDir }, 'restore', file)).toContain('in use by process');
  });
});
