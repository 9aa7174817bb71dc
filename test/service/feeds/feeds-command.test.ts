import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OperatorSettings } from '../../../src/bin/database-or-service.js';
import { feedsCommand } from '../../../src/bin/feeds-command.js';
import { setUrl } from '../../../src/service/db/embedded/folder-lock.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { operatorFeedRoutes } from '../../../src/service/feeds/operator-routes.js';
import { kind, newDatabaseUrl, newDataDir } from '../../support/database.js';
import { startService } from '../../support/service.js';
import { feedFile, ndjson, osvRecord } from './feed-files.js';

/** Each run opens the database and closes it, which takes a second or more. */
const patience = { timeout: 600_000 };

let settings: OperatorSettings;
let emptyDir: string;

beforeAll(async () => {
  emptyDir = await mkdtemp(join(tmpdir(), 'postern-cli-'));
  settings =
    kind === 'embedded'
      ? { dataDir: await newDataDir(), databaseUrl: undefined, operatorKey: undefined }
      : { dataDir: emptyDir, databaseUrl: await newDatabaseUrl(), operatorKey: undefined };
});
afterEach(() => {
  process.exitCode = 0;
});
afterAll(async () => {
  await rm(emptyDir, { recursive: true, force: true });
});

/** Runs `postern feeds …` here, and what it writes and exits with. */
async function run(...words: string[]) {
  const written = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.out += text;
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.err += text;
    return true;
  });
  process.exitCode = 0;
  try {
    await feedsCommand(() => settings).parseAsync(words, { from: 'user' });
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return { ...written, code: process.exitCode };
}

describe('postern feeds', patience, () => {
  test('says so where nothing is loaded', async () => {
    expect((await run('status')).out).toBe('No feed is loaded: run postern feeds sync, or postern feeds load.\n');
  });

  test('loads files, and shows what is loaded', async () => {
    const { path } = await feedFile('mine.ndjson', ndjson([{ id: 'bad' }, osvRecord({ id: `T-${randomUUID()}` })]));
    const epss = await feedFile(
      'e.csv',
      '#model_version:v9,score_date:2025-08-15\ncve,epss,percentile\nCVE-2095-0001,0.1,0.2\n',
    );
    const loaded = await run('load', '--osv', path, '--epss', epss.path);
    expect(loaded).toMatchObject({ code: 0 });
    expect(loaded.out).toBe(
      'osv:mine.ndjson of 2025-01-02: 1 added, 1 bad\n  mine.ndjson, line 1: modified is missing\n' +
        'epss v9 of 2025-08-15: 1 added\n',
    );
    expect(loaded.err).toContain('osv:mine.ndjson: 1 records, 100 %\n');
    expect((await run('load', '--osv', path)).out).toBe(
      'osv:mine.ndjson of 2025-01-02: already loaded, nothing written\n',
    );
    const { out, code } = await run('status');
    expect(code).toBe(0);
    expect(out).toMatch(/^osv:mine\.ndjson +2025-01-02 +- +1 +- +loaded \d{4}-.*, stale$/m);
    expect(out).toContain('Stale:');
  });

  test('exits with 1 where a file cannot be used, and loads the others', async () => {
    const good = await feedFile('good.ndjson', ndjson([osvRecord({ id: `T-${randomUUID()}` })]));
    const { path } = await feedFile('bad.ndjson', ndjson([{ id: 'x' }]));
    const { code, out, err } = await run('load', '--strict', '--osv', path, join(emptyDir, 'gone.zip'), good.path);
    expect(code).toBe(1);
    expect(err).toContain('osv:bad.ndjson: failed: bad.ndjson: holds 1 record that cannot be used; nothing was loaded');
    expect(err).toContain('osv:gone.zip: failed: gone.zip: there is no such file');
    expect(out).toContain('osv:good.ndjson of 2025-01-02: 1 added');
  });

  test.each([
    [['load'], 'name the files to load: --osv FILE'],
    [['load', '--kev', 'kev.csv'], 'kev.csv: not a file type of kev; it takes .json'],
    [['sync', '--only', 'nvd'], 'there is no such feed; there are osv'],
  ])('exits with 2 where it is called wrongly: %j', async (words, message) => {
    const { code, err } = await run(...words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe.runIf(kind === 'embedded')('where a service holds the data folder', patience, () => {
  test('the service does the work', async () => {
    const { dataDir } = settings;
    const database = await openDatabase({ dataDir });
    const service = await startService({ database, operatorRoutes: operatorFeedRoutes({ database, dataDir }) });
    try {
      setUrl(dataDir, service.url);
      const { path } = await feedFile('mine.ndjson', ndjson([osvRecord({ id: `T-${randomUUID()}` })]));
      expect(await run('load', '--osv', path)).toMatchObject({
        code: 1,
        err: expect.stringContaining('set OPERATOR_KEY'),
      });
      await writeFile(join(dataDir, 'operator.key'), `${service.operatorKey}\n`);
      expect(await run('load', '--osv', path)).toMatchObject({
        code: 0,
        out: 'osv:mine.ndjson of 2025-01-02: 1 added\n',
      });
      expect((await run('status')).out).toContain('osv:mine.ndjson');
    } finally {
      await service.close();
      await database.close();
    }
  });
});
