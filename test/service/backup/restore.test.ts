import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { packTar, unpackTar } from 'modern-tar';
import { expect, onTestFinished, test } from 'vitest';
import { packBackup } from '../../../src/service/backup/pack-backup.js';
import { restoreBackup } from '../../../src/service/backup/restore.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { emptyFolder, folderWithDatabase } from '../../bin/running-postern.js';
import { databaseWorker } from '../../support/build.js';

async function backupOf(dataDir: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of packBackup({ dataDir, database: null, version: '9.8.7' })) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function restoring(content: Uint8Array) {
  const folder = await emptyFolder();
  const [file, dataDir] = [path.join(folder, 'backup'), path.join(folder, 'data')];
  writeFileSync(file, content);
  return { dataDir, restored: restoreBackup(file, dataDir, databaseWorker) };
}

test('a damaged, cut or foreign file is refused, and leaves the folder empty', async () => {
  const tar = await backupOf(await folderWithDatabase());
  const flipped = Buffer.from(tar);
  const at = flipped.indexOf('postgresql.conf') + 1024;
  flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
  const entries = await unpackTar(tar);
  const withoutEnd = await packTar(entries.slice(0, -1));
  const named = (name: string) => ({ header: { name, size: 1, type: 'file' as const }, body: 'x' });
  const withEntry = (name: string) => packTar([...entries.slice(0, -1), named(name), ...entries.slice(-1)]);
  const packed = gzipSync(tar, { level: 1 });
  const cases: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['no gzip', Buffer.from('hello'), /is no backup, or it is damaged/],
    ['another archive', gzipSync(await packTar([named('a')])), /first entry is another one/],
    ['a flipped bit', gzipSync(flipped, { level: 1 }), /is not as it was written/],
    ['half a file', packed.subarray(0, packed.length / 2), /is no backup, or it is damaged/],
    ['no checksums', gzipSync(withoutEnd, { level: 1 }), /it is cut off/],
    ['a path out of the folder', gzipSync(await withEntry('database/../../out'), { level: 1 }), /it holds "database/],
    ['a file of another name', gzipSync(await withEntry('.env'), { level: 1 }), /it holds "\.env"/],
    ['a file without checksum', gzipSync(await withEntry('database/more'), { level: 1 }), /has no checksum/],
  ];
  for (const [name, content, message] of cases) {
    const { dataDir, restored } = await restoring(content);
    await expect(restored, name).rejects.toThrow(message);
    expect(readdirSync(dataDir), name).toEqual([]);
  }
});

test('a backup of a newer version is refused by its version', async () => {
  const dataDir = await folderWithDatabase();
  const database = await openDatabase({ dataDir });
  await database.system((tx) => sql`insert into kysely_migration values ('9999-later', '2100')`.execute(tx));
  await database.close();
  const { dataDir: target, restored } = await restoring(gzipSync(await backupOf(dataDir), { level: 1 }));
  await expect(restored).rejects.toThrow(/the backup is of Postern 9\.8\.7, which is newer \(9999-later\)/);
  expect(readdirSync(target)).toEqual([]);
});

test('a start finishes a restore that had happened, and removes one that had not', async () => {
  const from = await folderWithDatabase();
  const version = await readFile(path.join(from, 'database/PG_VERSION'), 'utf8');
  const dataDir = await emptyFolder();
  mkdirSync(path.join(dataDir, 'restore.new'));
  mkdirSync(path.join(dataDir, 'restore.ready'));
  renameSync(path.join(from, 'database'), path.join(dataDir, 'restore.ready/database'));
  writeFileSync(path.join(dataDir, 'restore.ready/jwt.key'), 'kept');
  const database = await openDatabase({ dataDir });
  onTestFinished(() => database.close());
  expect(readdirSync(dataDir).sort()).toEqual(['database', 'jwt.key', 'lock.json']);
  expect(readFileSync(path.join(dataDir, 'database/PG_VERSION'), 'utf8')).toBe(version);
});

test('the archive that a backup packs is one that tar reads, with files for their owner alone', async () => {
  const entries = await unpackTar(gunzipSync(gzipSync(await backupOf(await folderWithDatabase()))));
  expect(entries.at(0)?.header.name).toBe('postern-backup.json');
  expect(entries.at(-1)?.header.name).toBe('checksums.json');
  for (const { header } of entries) expect(header.mode, header.name).toBe(header.type === 'directory' ? 0o700 : 0o600);
});
