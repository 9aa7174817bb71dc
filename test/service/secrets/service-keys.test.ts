import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { loadStoredKeys } from '../../../src/service/secrets/service-keys.js';
import { loadWrappingKeys } from '../../../src/service/secrets/wrapping-keys.js';
import { ownDatabase } from '../../support/own-database.js';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

let database: Database;
let dataDir: string;
beforeAll(async () => {
  database = await ownDatabase();
});
beforeEach(async () => {
  await database.system((tx) => tx.deleteFrom('service_keys').execute());
  dataDir = await mkdtemp(join(tmpdir(), 'postern-secrets-'));
  return () => rm(dataDir, { recursive: true });
});
afterAll(() => database.close());

const wrappingKeys = (configured: readonly string[], isEmbedded = false) =>
  loadWrappingKeys({ dataDir, configured, isEmbedded });
const rows = () => database.system((tx) => tx.selectFrom('service_keys').selectAll().orderBy('purpose').execute());

describe('the service’s keys in the database', () => {
  test('are made once by instances that start at once, one for each purpose', async () => {
    const wrapping = await wrappingKeys([first]);
    const loaded = await Promise.all(Array.from({ length: 5 }, () => loadStoredKeys(database, wrapping)));
    expect(new Set(loaded.map(({ sessions }) => sessions.toString('hex'))).size).toBe(1);
    const [{ sessions, webhooks } = { sessions: Buffer.alloc(0), webhooks: Buffer.alloc(0) }] = loaded;
    expect([sessions.length, webhooks.length]).toEqual([32, 32]);
    expect(sessions.equals(webhooks)).toBe(false);
  });

  test('are wrapped, and open under the same SECRETS_KEY only', async () => {
    const keys = await loadStoredKeys(database, await wrappingKeys([first]));
    const stored = JSON.stringify(await rows());
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      expect(stored).not.toContain(keys.webhooks.toString(form).replace(/=+$/, ''));
    }
    expect(stored).not.toContain(first);
    expect(await loadStoredKeys(database, await wrappingKeys([first]))).toEqual(keys);
    for (const configured of [[], [second]]) {
      await expect(loadStoredKeys(database, await wrappingKeys(configured))).rejects.toThrow(
        /SECRETS_KEY.*\(new,old\)/,
      );
    }
  });

  test('move to another SECRETS_KEY in one start, and from none to one', async () => {
    const keys = await loadStoredKeys(database, await wrappingKeys([]));
    expect((await rows()).map(({ wrapped_by }) => wrapped_by)).toEqual(['', '']);
    for (const configured of [[first], [second, first], [second]]) {
      expect(await loadStoredKeys(database, await wrappingKeys(configured))).toEqual(keys);
    }
    await expect(loadStoredKeys(database, await wrappingKeys([first]))).rejects.toThrow('SECRETS_KEY');
  });
});

describe('what wraps them', () => {
  test('is a file for its owner alone beside an embedded database, made once', async () => {
    const [made] = await wrappingKeys([], true);
    expect((await stat(join(dataDir, 'secrets.key'))).mode & 0o777).toBe(0o600);
    expect(await wrappingKeys([], true)).toEqual([made]);
    expect((await wrappingKeys([first], true)).map(({ id }) => id).at(-1)).toBe(made?.id);
  });

  test('is SECRETS_KEY alone for a server, whose instances have no folder in common', async () => {
    expect(await wrappingKeys([])).toEqual([]);
    expect(await wrappingKeys([first, second])).toHaveLength(2);
    expect(await readdir(dataDir)).toEqual([]);
  });
});
