import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { judgeFeeds } from '../../src/bin/doctor/check-database.js';
import { checkEnvironment } from '../../src/bin/doctor/check-environment.js';
import { checkVersions, judgeFree } from '../../src/bin/doctor/check-machine.js';
import { checkPort } from '../../src/bin/doctor/check-port.js';
import { openDatabase } from '../../src/service/db/open.js';
import { answerJson, startUpstream } from '../support/upstream.js';
import { emptyFolder, folderWithDatabase, startPosternProgram } from './running-postern.js';

const report = z.strictObject({
  healthy: z.boolean(),
  findings: z.array(
    z.strictObject({ check: z.string(), level: z.enum(['ok', 'warning', 'error']), message: z.string() }),
  ),
});

async function diagnose(env: Record<string, string>) {
  const doctor = startPosternProgram(env, 'doctor', '--json');
  const code = await doctor.ended;
  expect(doctor.stderr()).toBe('');
  const { healthy, findings } = report.parse(JSON.parse(doctor.stdout()));
  expect(code).toBe(healthy ? 0 : 1);
  const lines = findings.map(({ check, level, message }) => `${level} ${check}: ${message}`);
  return { healthy, lines, text: lines.join('\n') };
}

describe('postern doctor', () => {
  test('finds a new folder healthy, and makes nothing in it', async () => {
    const dataDir = path.join(await emptyFolder(), 'none');
    const { healthy, text } = await diagnose({ DATA_DIR: dataDir });
    expect(healthy).toBe(true);
    for (const part of [
      'ok versions: Postern ',
      'ok environment: ',
      'ok port: ',
      'ok data folder: ',
      'ok database: ',
    ]) {
      expect(text).toContain(part);
    }
    expect((await diagnose({ DATA_DIR: dataDir })).text).toContain('is not there yet');
  });

  test('names each variable that is wrong with a sentence, and repeats no value', async () => {
    const { healthy, lines, text } = await diagnose({
      PORT: 'abc',
      DATABASE_URL: 'mysql://u:hunter2@h',
      JWT_SECRET: 'hunter2',
    });
    expect(healthy).toBe(false);
    expect(lines).toContain('error environment: PORT takes a whole number from 0 to 65535');
    expect(text).toContain('error environment: DATABASE_URL takes an address such as');
    expect(text).toContain('error environment: JWT_SECRET takes a key of at least 32 characters');
    expect(text).not.toContain('hunter2');
  });

  test('beside a running server asks that one, and finds it on its port', async () => {
    const env = { DATA_DIR: await folderWithDatabase() };
    const url = await startPosternProgram(env).ready();
    const { healthy, text } = await diagnose({ ...env, PORT: new URL(url).port });
    expect([healthy, text]).toEqual([true, expect.stringContaining('ok port: a Postern serves on port')]);
    expect(text).toContain(`ok database: the server at ${url} has it open`);
    expect(text).toMatch(/(warning|ok) feeds: /);
    const wrongKey = await diagnose({ ...env, OPERATOR_KEY: 'topsecret'.repeat(5) });
    expect(wrongKey.text).toContain('error database: ');
    expect(wrongKey.text).not.toContain('topsecret');
  });

  test('reads a database that nobody has open: its schema, row-level security and feeds', async () => {
    const dataDir = await folderWithDatabase();
    const sound = await diagnose({ DATA_DIR: dataDir });
    expect(sound.text).toMatch(/ok database: PostgreSQL \S+, at this version's schema/);
    expect(sound.text).toContain('warning feeds: none is loaded');
    const database = await openDatabase({ dataDir });
    await database.system(async (tx) => {
      await sql`alter table alerts disable row level security`.execute(tx);
      await sql`alter role postern_tenant bypassrls`.execute(tx);
      await sql`insert into kysely_migration values ('9999-later', '2100')`.execute(tx);
    });
    await database.close();
    const broken = await diagnose({ DATA_DIR: dataDir });
    expect(broken.healthy).toBe(false);
    expect(broken.text).toContain('row-level security is off for alerts');
    expect(broken.text).toContain('postern_tenant bypasses row-level security');
    expect(broken.text).toContain('a newer Postern has changed it (9999-later)');
  });

  test('says that the next start changes the schema, and changes nothing itself', async () => {
    const dataDir = await folderWithDatabase();
    const database = await openDatabase({ dataDir });
    await database.system((tx) =>
      sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(tx),
    );
    await database.close();
    for (let time = 0; time < 2; time += 1) {
      expect((await diagnose({ DATA_DIR: dataDir })).text).toContain('the next start changes its schema (1 migrations');
    }
  });

  test('leaves a database alone whose first start was broken off', async () => {
    const dataDir = await folderWithDatabase();
    await writeFile(path.join(dataDir, 'database.incomplete'), '');
    expect((await diagnose({ DATA_DIR: dataDir })).text).toContain('its first start was broken off');
  });

  test('finds files that others may read, and a folder that is none', async () => {
    const dataDir = await emptyFolder();
    await writeFile(path.join(dataDir, 'jwt.key'), 'x'.repeat(64));
    await chmod(path.join(dataDir, 'jwt.key'), 0o644);
    await chmod(dataDir, 0o755);
    const { healthy, text } = await diagnose({ DATA_DIR: dataDir });
    expect(healthy).toBe(false);
    expect(text).toContain(`error data folder: others may read ${dataDir}/jwt.key: chmod 600`);
    expect(text).toContain(`warning data folder: others may look into ${dataDir}: chmod 700`);
    expect((await diagnose({ DATA_DIR: path.join(dataDir, 'jwt.key') })).text).toContain('is no folder');
  });

  test('warns of a server’s database without SECRETS_KEY, and of a wildcard address without PUBLIC_URL', async () => {
    const env = { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d', HOST: '0.0.0.0', DATA_DIR: await emptyFolder() };
    const { healthy, text } = await diagnose(env);
    expect(healthy).toBe(false);
    expect(text).toContain('error database: DATABASE_URL: no PostgreSQL answers there');
    expect(text).toContain('warning environment: SECRETS_KEY is not set');
    expect(text).toContain('warning environment: HOST is not loopback');
    expect(text).not.toContain('hunter2');
  });

  test('asks only the service where SERVICE_API_URL is set', async () => {
    const upstream = await startUpstream((res) => answerJson(res, 401, {}));
    expect((await diagnose({ SERVICE_API_URL: upstream.url })).text).toContain('ok service: ');
    const { healthy, text } = await diagnose({ SERVICE_API_URL: 'http://127.0.0.1:2' });
    expect([healthy, text]).toEqual([false, expect.stringContaining('nobody answers there (ECONNREFUSED)')]);
    expect(text).not.toContain('database:');
  });

  test('without --json is a line for each finding', async () => {
    const doctor = startPosternProgram({ DATA_DIR: await emptyFolder(), PORT: 'abc' }, 'doctor');
    expect(await doctor.ended).toBe(1);
    expect(doctor.stdout()).toMatch(/^ok {7}versions {5}Postern .*\nerror {4}environment {2}PORT takes /);
  });
});

test('a port in use by another program is an error, one that this machine has not too', async () => {
  const other = await startUpstream((res) => answerJson(res, 200, {}));
  const PORT = Number(new URL(other.url).port);
  expect(await checkPort({ HOST: '127.0.0.1', PORT })).toMatchObject({
    level: 'error',
    message: expect.stringMatching(/in use by another program/),
  });
  expect(await checkPort({ HOST: '192.0.2.1', PORT: 0 })).toMatchObject({
    level: 'error',
    message: expect.stringMatching(/has no address 192\.0\.2\.1/),
  });
});

test('an old Node and a full disk are errors, little space a warning', () => {
  expect(checkVersions('20.18.9')).toMatchObject({ level: 'error' });
  expect(checkVersions('18.20.0').message).toContain('it needs Node 20.19 or newer');
  for (const version of ['20.19.0', '22.1.0']) expect(checkVersions(version).level).toBe('ok');
  expect([judgeFree(199), judgeFree(200), judgeFree(2_048)].map(({ level }) => level)).toEqual([
    'error',
    'warning',
    'ok',
  ]);
});

test('feeds are fresh, old, or missing', () => {
  const loaded_at = new Date();
  const feed = { version: null, published_at: null, loaded_at, records: 1, complete: true, as_of: loaded_at };
  const rest = { covers: [], unread: 0, unread_records: [] };
  const named = (name: string, stale: boolean) => ({ ...feed, ...rest, name, stale });
  expect(judgeFeeds({ feeds: [named('kev', false)], stale: false }).level).toBe('ok');
  expect(judgeFeeds({ feeds: [named('kev', true)], stale: true }).message).toContain('kev are older than 7 days');
  expect(judgeFeeds({ feeds: [named('kev', false)], stale: true }).message).toContain('never loaded');
  expect(judgeFeeds({ feeds: [], stale: true }).message).toContain('none is loaded');
});

test('a variable in .env that nothing reads is named', async () => {
  const folder = await emptyFolder();
  await mkdir(path.join(folder, 'work'));
  await writeFile(path.join(folder, 'work/.env'), 'PUBLC_URL=https://a.example\nOTEL_SERVICE_NAME=a\n');
  const before = process.cwd();
  process.chdir(path.join(folder, 'work'));
  try {
    expect(checkEnvironment().findings.map(({ message }) => message)).toEqual([
      'PUBLC_URL in .env is no variable of Postern: is it spelt right? .env.example lists them',
    ]);
  } finally {
    process.chdir(before);
  }
});
