import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { answerAbout, readPackage } from '../../../src/service/intelligence/check-package.js';
import { isVersion } from '../../../src/service/matching/versions/index.js';
import { hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { osvRecord } from '../feeds/feed-files.js';
import {
  type Cut,
  isTrulyAffected,
  type Random,
  type RealRecord,
  randomNumbers,
  readCuts,
  truthOf,
  versionsAround,
} from './random-feeds.js';

const asks = 10_000;
const scenarios = 20;
const packagesAsked = 25;

/** When a fresh feed was published; the questions are asked a day later. */
const published = new Date('2026-10-01T00:00:00Z');
const now = new Date('2026-10-02T00:00:00Z');

describe.skipIf(!hasData)('with real feeds that lack something at random', () => {
  let database: Database;
  let folder: string;
  beforeAll(async () => {
    database = await ownDatabase();
    folder = await mkdtemp(join(tmpdir(), 'postern-random-feeds-'));
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  test(`of ${asks} answers none is not_affected where the complete data says affected`, {
    timeout: 600_000,
  }, async () => {
    const random = randomNumbers(20);
    const cuts = readCuts(random, 60);
    const counts = { affected: 0, not_affected: 0, unknown: 0 };
    const wrong: string[] = [];
    for (let scenario = 0; scenario < scenarios; scenario += 1) {
      const withdrawn = await loadRandomly(cuts, random);
      const truth = truthOf(cuts, withdrawn);
      for (const named of await askRandomly(cuts, random)) {
        counts[named.status] += 1;
        if (named.status === 'not_affected' && isTrulyAffected(truth, named)) wrong.push(JSON.stringify(named));
      }
    }
    expect(wrong).toEqual([]);
    expect(counts.affected + counts.not_affected + counts.unknown).toBe(asks);
    // Where it says nothing at all, it cannot be wrong.
    expect(counts.not_affected).toBeGreaterThan(asks / 50);
    expect(counts.affected).toBeGreaterThan(asks / 50);
  });

  /** Replaces the intelligence: each ecosystem's feed is complete, or lacks something. Answers what was withdrawn. */
  async function loadRandomly(cuts: readonly Cut[], random: Random): Promise<ReadonlySet<string>> {
    await database.system((tx) =>
      sql`truncate advisories, advisory_packages, package_health, feeds, unread_records`.execute(tx),
    );
    const withdrawn = new Set<string>();
    for (const { ecosystem, records, packages } of cuts) {
      const fate = random.pick([
        'complete',
        'complete',
        'broken',
        'missing',
        'interrupted',
        'packages',
        'cut off',
      ] as const);
      if (fate === 'missing') continue;
      const unread = new Set(packages.filter(() => random.chance(0.2)));
      const lines = records.map((record) => {
        if (random.chance(0.02)) {
          withdrawn.add(record.advisory.id);
          return JSON.stringify({ ...Object(JSON.parse(record.line)), withdrawn: published.toISOString() });
        }
        return lineOf(record, fate, unread, random);
      });
      const date = random.chance(0.15) ? '2026-01-01T00:00:00Z' : published.toISOString();
      const newest = osvRecord({ id: `N-${randomUUID()}`, modified: date, published: date }, `newest-${ecosystem}`);
      await load(
        [JSON.stringify(newest), ...(fate === 'interrupted' ? lines.slice(0, lines.length / 2) : lines)],
        random.chance(0.1) ? [] : [ecosystem],
        fate === 'interrupted',
      );
    }
    return withdrawn;
  }

  async function load(lines: readonly string[], covers: readonly Cut['ecosystem'][], isInterrupted: boolean) {
    const name = `${randomUUID()}.ndjson`;
    const path = join(folder, name);
    await writeFile(path, lines.join('\n'));
    const interruption = new AbortController();
    const loading = loadFeed(
      {
        database,
        reconcile: async () => ({ opened: 0, reopened: 0, resolved: 0, updated: 0 }),
        signal: interruption.signal,
        onProgress: () => {
          if (isInterrupted) interruption.abort(new Error('interrupted'));
        },
      },
      { kind: 'osv', part: name, file: { path, name }, onBad: 'report', covers, validator: null },
    );
    if (isInterrupted) await expect(loading).rejects.toThrow('interrupted');
    else await loading;
  }

  /** The statuses of questions about packages of all ecosystems, in odd spellings too. */
  async function askRandomly(cuts: readonly Cut[], random: Random) {
    const organisationId = randomUUID();
    const perPackage = asks / scenarios / packagesAsked;
    return database.tenant(organisationId, async (tx) => {
      const answers = [];
      for (let index = 0; index < packagesAsked; index += 1) {
        const { ecosystem, records, packages } = random.pick(cuts);
        const real = random.pick(packages);
        const name = random.pick([real, real, real, real.toUpperCase(), real.toLowerCase(), `${real}s`]);
        const held = await readPackage({ tx, organisationId, now }, { ecosystem, name });
        const versions = versionsAround(records, real).filter((version) => isVersion(ecosystem, version));
        for (let each = 0; each < perPackage; each += 1) {
          const named = { ecosystem, name, version: random.pick(versions) };
          const { coverage } = answerAbout(named, held, { registry: null, now });
          answers.push({ ...named, status: coverage.status });
        }
      }
      return answers;
    });
  }
});

/** A record's line, damaged as the feed's fate says. */
function lineOf({ line, advisory }: RealRecord, fate: string, unread: ReadonlySet<string>, random: Random): string {
  if (fate === 'packages' && advisory.packages.some(({ name }) => unread.has(name))) return withoutDate(line);
  if (fate === 'broken' && random.chance(0.1)) return withoutDate(line);
  if (fate === 'cut off' && random.chance(0.02)) return line.slice(0, line.length / 2);
  return line;
}

function withoutDate(line: string): string {
  return JSON.stringify({ ...Object(JSON.parse(line)), modified: 'never' });
}
