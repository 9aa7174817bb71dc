import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadServiceKeys } from '../../../src/service/auth/keys.js';
import { keyFromFile } from '../../../src/service/secrets/key-file.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-keys-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a key file', () => {
  test('is made once, for its owner alone, in a folder made for it', async () => {
    const path = join(folder, 'data', 'jwt.key');
    const key = await keyFromFile(path);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
    expect(await keyFromFile(path)).toBe(key);
  });

  test('made by many at once is one key, and leaves no drafts', async () => {
    const path = join(folder, 'jwt.key');
    const keys = await Promise.all(Array.from({ length: 20 }, () => keyFromFile(path)));
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(folder)).toEqual(['jwt.key']);
  });

  test('that holds too little is refused without its content', async () => {
    const path = join(folder, 'jwt.key');
    await writeFile(path, 'short-secret\n');
    const refused = keyFromFile(path);
    await expect(refused).rejects.toThrow('holds no key: remove it');
    await expect(refused).rejects.not.toThrow('short-secret');
  });
});

describe('the service’s keys', () => {
  test('come from the environment where it names them, and then touch no file', async () => {
    const keys = await loadServiceKeys({
      dataDir: folder,
      jwtSecrets: ['j'.repeat(32), 'k'.repeat(32)],
      operatorKey: 'o'.repeat(32),
    });
    expect(keys.jwtKeys.map((key) => Buffer.from(key).toString())).toEqual(['j'.repeat(32), 'k'.repeat(32)]);
    expect(keys.operatorKey).toBe('o'.repeat(32));
    expect(await readdir(folder)).toEqual([]);
  });

  test('come from files otherwise', async () => {
    const keys = await loadServiceKeys({ dataDir: folder });
    expect(keys.operatorKey).toBe((await readFile(join(folder, 'operator.key'), 'utf8')).trim());
    expect(keys.jwtKeys.map((key) => Buffer.from(key).toString())).toEqual([
      (await readFile(join(folder, 'jwt.key'), 'utf8')).trim(),
    ]);
    expect(keys.operatorKey).not.toBe(keys.jwtKeys.map((key) => Buffer.from(key).toString()).join());
  });

  test('that are too short are refused by name, not by value', async () => {
    await expect(loadServiceKeys({ dataDir: folder, jwtSecrets: ['j'.repeat(32), 'short'] })).rejects.toThrow(
      /^JWT_SECRET must have at least 32 bytes$/,
    );
    await expect(loadServiceKeys({ dataDir: folder, operatorKey: 'short' })).rejects.toThrow(
      /^OPERATOR_KEY must have at least 32 bytes$/,
    );
  });
});
