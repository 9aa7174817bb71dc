import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { coveredEcosystems, EcosystemCount, readCovers } from '../../../src/service/feeds/covered-ecosystems.js';
import { feedStatus, readStatus } from '../../../src/service/feeds/feed-status.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { reconcileWith } from '../../../src/service/feeds/load-context.js';
import { plausibleDate } from '../../../src/service/feeds/plausible-date.js';
import { statusText } from '../../../src/service/feeds/progress-text.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { feedFile, ndjson, osvRecord } from './feed-files.js';

let database: Database;
beforeAll(async () => {
  database = await ownDatabase();
});
afterAll(() => database.close());

const countOf = (ecosystem: Ecosystem, records: number) => {
  const count = new EcosystemCount();
  for (let index = 0; index < records; index += 1) count.add(`A-${index}`, [ecosystem]);
  return count;
};
const byContent = { stated: null, archiveOf: null };

describe('a feed covers', () => {
  test('the ecosystems that it has a whole database of, and not those that it names in passing', () => {
    const count = countOf('npm', 5000);
    for (const id of ['G-1', 'G-2']) count.add(id, ['Go', 'npm']);
    expect(coveredEcosystems(count, byContent)).toEqual(['npm']);
    expect(count.named()).toEqual(['npm', 'Go']);
  });

  test('nothing with a handful, nor with one advisory many times', () => {
    expect(coveredEcosystems(countOf('npm', 10), byContent)).toEqual([]);
    const repeated = new EcosystemCount();
    for (let index = 0; index < 5000; index += 1) repeated.add('A-1', ['npm']);
    expect(coveredEcosystems(repeated, byContent)).toEqual([]);
  });

  test('the ecosystem of an archive that names it', () => {
    expect(coveredEcosystems(countOf('Go', 3), { stated: null, archiveOf: 'Go' })).toEqual(['Go']);
    expect(coveredEcosystems(countOf('npm', 3), { stated: null, archiveOf: 'Go' })).toEqual([]);
  });

  test('what the operator states, whatever its content', () => {
    expect(coveredEcosystems(countOf('npm', 5000), { stated: [], archiveOf: 'npm' })).toEqual([]);
    expect(coveredEcosystems(countOf('npm', 1), { stated: ['PyPI', 'npm'], archiveOf: null })).toEqual(['npm', 'PyPI']);
  });
});

test.each([
  ['npm,PyPI', ['npm', 'PyPI']],
  [' NPM , crates.io', ['npm', 'crates.io']],
  ['none', []],
])('the operator writes %j', (text, expected) => {
  expect(readCovers(text)).toEqual(expected);
});

test.each(['', 'npm,', 'npm,none', 'pip'])('%j states no ecosystems', (text) => {
  expect(() => readCovers(text)).toThrow('is no ecosystem; give none, or of npm,PyPI');
});

test('a date is none where nothing can have been published then', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const at = (text: string) => plausibleDate(new Date(text), now)?.toISOString() ?? null;
  expect(at('0001-01-01T00:00:00Z')).toBeNull();
  expect(at('1970-01-01T00:00:00Z')).toBeNull();
  expect(at('2099-01-01T00:00:00Z')).toBeNull();
  expect(at('2025-12-31T00:00:00Z')).toBe('2025-12-31T00:00:00.000Z');
  expect(plausibleDate(null, now)).toBeNull();
});

describe('the status', () => {
  const load = async (name: string, text: string, covers?: readonly Ecosystem[]) => {
    const file = await feedFile(name, text);
    const request = { kind: 'osv', file, part: name, onBad: 'report', covers, validator: null } as const;
    return loadFeed({ database, reconcile: reconcileWith(database) }, request);
  };
  const statusOf = async (name: string) => {
    const status = feedStatus.parse(await database.system((tx) => readStatus(tx, new Date())));
    return { feed: status.feeds.find((feed) => feed.name === `osv:${name}`), text: statusText(status) };
  };

  test('names what each feed covers, how old it is, and each unread record with its reason', async () => {
    const name = `${randomUUID()}.ndjson`;
    const noDate = { id: 'X', modified: '0001-01-01T00:00:00Z', published: '0001-01-01T00:00:00Z' };
    const broken = { id: 'Y', modified: 'never', affected: [{ package: { ecosystem: 'PyPI', name: 'A_b' } }] };
    await load(name, `${JSON.stringify(broken)}\n{"id":\n${ndjson([osvRecord(noDate)])}`, ['npm']);
    const { feed, text } = await statusOf(name);
    expect(feed).toMatchObject({
      published_at: null,
      as_of: null,
      stale: true,
      covers: ['npm'],
      unread: 2,
      unread_records: [
        { at: 'line 1', field: 'modified', packages: ['PyPI a-b'] },
        { at: 'line 2', problem: 'is not JSON', packages: null },
      ],
    });
    expect(text).not.toContain('0001');
    expect(text).toContain('line 1: modified is not a date such as 2025-08-15T00:00:00Z (of PyPI a-b)');
    expect(text).toContain('line 2: is not JSON (of unknown packages)');
  });

  test('what a feed covers can be stated of a file that is loaded already', async () => {
    const [name, text] = [`${randomUUID()}.ndjson`, ndjson([osvRecord({ id: `T-${randomUUID()}` })])];
    await load(name, text);
    expect((await statusOf(name)).feed).toMatchObject({ covers: [], stale: true });
    expect(await load(name, text, ['npm'])).toMatchObject({ outcome: 'same' });
    expect((await statusOf(name)).feed).toMatchObject({ covers: ['npm'] });
  });

  test('keeps a bounded number of unread records, and counts all', async () => {
    const name = `${randomUUID()}.ndjson`;
    await load(name, `${'{\n'.repeat(1500)}${ndjson([osvRecord({ id: `T-${randomUUID()}` })])}`);
    const kept = await database.system((tx) =>
      tx.selectFrom('unread_records').select('place').where('feed', '=', `osv:${name}`).execute(),
    );
    expect(kept).toHaveLength(1000);
    const { feed, text } = await statusOf(name);
    expect([feed?.unread, feed?.unread_records.length]).toEqual([1500, 20]);
    expect(text).toContain('and 1,480 more');
  });

  test.skipIf(!hasData)('of the Go database, whose records say that they were modified in the year 1', async () => {
    const file = { path: dataFile('osv/go-vulndb.ndjson'), name: 'go-vulndb.ndjson' };
    const request = { kind: 'osv', file, part: file.name, onBad: 'report', validator: null } as const;
    const report = await loadFeed({ database, reconcile: reconcileWith(database) }, request);
    expect(report.publishedAt?.toISOString()).toBe('2026-01-01T00:00:00.000Z');
    expect((await statusOf('go-vulndb.ndjson')).feed).toMatchObject({ covers: ['Go'], stale: true });
  });
});
