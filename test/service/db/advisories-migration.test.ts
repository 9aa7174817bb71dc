import { randomUUID } from 'node:crypto';
import { Kysely, type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../../../src/service/db/database.js';
import { poolDialect } from '../../../src/service/db/dialect.js';
import { migrations } from '../../../src/service/db/migrations/index.js';
import type { Schema } from '../../../src/service/db/schema.js';
import { emptyDatabase } from './empty-database.js';

const migration = '0008-advisories';

/** Every table as it is after the migration, by its name. */
let after: Record<string, Record<string, unknown>[]>;
beforeAll(async () => {
  const { pool, close } = await emptyDatabase();
  after = await new Kysely<Schema>({ dialect: poolDialect(pool) }).transaction().execute(migrateOldRows);
  await close();
});

type Row = Readonly<Record<string, unknown>>;

/** Writes rows into a schema of the version before, migrates it, and reads them again. */
async function migrateOldRows(tx: Transaction): Promise<typeof after> {
  const schema = `before_${randomUUID().replaceAll('-', '')}`;
  await sql.raw(`create schema ${schema}`).execute(tx);
  await sql.raw(`set local search_path to ${schema}`).execute(tx);
  for (const name of Object.keys(migrations)) if (name < migration) await migrations[name]?.up(tx);
  for (const [table, rows] of Object.entries(oldRows)) {
    for (const row of rows) await sql`insert into ${sql.table(table)} ${valuesOf(row)}`.execute(tx);
  }
  await migrations[migration]?.up(tx);
  const read: typeof after = {};
  for (const table of [...Object.keys(oldRows), 'posture_counts']) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(tx);
    read[table] = rows;
  }
  await sql.raw(`drop schema ${schema} cascade`).execute(tx);
  return read;
}

function valuesOf(row: Row): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  return sql`(${columns}) values (${sql.join(Object.values(row))})`;
}

const organisation_id = 'org';
const inProject = { organisation_id, project_id: 'shop' };
const day = (nth: number) => new Date(Date.UTC(2025, 0, nth)).toISOString();

const advisory = (id: string, summary: string, withdrawn: string | null = null) => ({
  ...{ id, summary, withdrawn, modified: day(1), cves: [], aliases: [], malicious: false },
  ...{ references: [], content_hash: Buffer.alloc(32) },
});

const named = (
  advisory_id: string,
  ecosystem: string,
  package_name: string,
  versions: string[],
  symbols: string[],
) => ({
  ...{ advisory_id, ecosystem, package_name, symbols },
  affected: JSON.stringify({ ranges: [{ type: 'SEMVER', events: [{ introduced: versions[0] }] }], versions }),
});

const item = (id: string, ecosystem: string, name: string, version: string, more: Row = {}) => ({
  ...{ ...inProject, id, ecosystem, name, package_name: name, version, source: 'go.mod', scope: 'development' },
  ...{ added_at: day(2), direct: false, ...more },
});

/** A resolved alert has two turns, an open one has one. */
const alert = (id: string, ecosystem: string, package_name: string, vulnerability_id: string, more: Row = {}) => ({
  ...{ ...inProject, id, ecosystem, package_name, vulnerability_id, title: id, advisory_ids: ['any'], cves: [] },
  ...{ versions: ['1.0.0'], malicious: false, tier: 'RED', first_seen_at: day(3), turns: ['2025-01-03'], ...more },
});
const resolved = { resolved_at: day(5), turns: ['2025-01-03', '2025-01-05'] };

const verdict = (alert_id: string, more: Row = {}) => ({
  ...{ ...inProject, id: `verdict of ${alert_id}`, alert_id, machine_score: 1, machine_band: 'needs_review' },
  ...{ evidence: '{}', evidence_hash: Buffer.alloc(32), computed_at: day(3), ...more },
});
const override = (override_reason: string, nth: number) => ({
  ...{ override_verdict: 'NotExploitable', override_reason, override_by: 'Ada', override_at: day(nth) },
});

const used = (package_name: string, production_sites: number) => ({
  ...{ ...inProject, ecosystem: 'Go', package_name, version: 'v1.1.0', usage: 'imported', scope: 'runtime' },
  ...{ symbols: [], sites: '[]', production_sites, all_sites: production_sites, paths: '[]' },
});

const health = (package_name: string, deprecated: string | null) => ({
  ...{ ecosystem: 'crates.io', package_name, deprecated, source: 'any' },
});

const goutils = 'github.com/Masterminds/goutils';
const lower = goutils.toLowerCase();

const oldRows: Readonly<Record<string, readonly Row[]>> = {
  organisations: [{ id: organisation_id, name: 'Acme', plan: 'Free' }],
  projects: [{ organisation_id, id: 'shop', name: 'Shop', exposure: 'internet' }],
  feeds: [
    { name: 'osv:npm', loaded_at: day(1), records: 1, content_hash: Buffer.alloc(32), etag: '"a"' },
    { name: 'epss', loaded_at: day(1), records: 1, content_hash: Buffer.alloc(32), etag: '"a"' },
  ],
  advisories: [
    advisory('GO-1', 'Two spellings'),
    advisory('GHSA-w1', 'Withdrawn: Arbitrary code execution in lodash'),
    advisory('GHSA-w2', 'Duplicate Advisory: Prototype pollution'),
    advisory('GHSA-w3', 'Rejected reason: not used'),
    advisory('GHSA-w4', 'Withdrawn'),
    advisory('GHSA-w5', 'Prototype pollution (withdrawn)'),
    advisory('GHSA-w6', 'Withdrawn: long ago', day(20)),
    advisory('GHSA-ok1', 'Withdrawn items can be read by anybody'),
    advisory('GHSA-ok2', 'Rejected requests are logged'),
    advisory('GHSA-ok3', 'PAM auth fails to reject locked accounts'),
  ],
  advisory_packages: [
    named('GO-1', 'Go', goutils, ['1.0.0'], ['b', 'a']),
    named('GO-1', 'Go', lower, ['2.0.0'], ['c', 'a']),
    named('GHSA-ok1', 'Go', lower, ['3.0.0'], []),
    named('GHSA-ok2', 'Go', 'github.com/BurntSushi/toml', ['1.0.0'], []),
    named('GHSA-ok3', 'crates.io', 'Serde_JSON', ['1.0.0'], []),
    named('GHSA-w1', 'npm', 'JSONStream', ['1.0.0'], []),
  ],
  package_health: [health('serde-json', null), health('Serde_JSON', 'use another'), health('RAND', 'gone')],
  tech_stack_items: [
    item('t1', 'Go', goutils, 'v1.1.0', { added_at: day(3), scope: 'runtime', deprecated: 'use another' }),
    item('t2', 'Go', lower, 'v1.1.0', { direct: true }),
    item('t3', 'Go', lower, 'v1.2.0'),
    item('t4', 'Go', goutils, 'v1.1.0', { source: 'other/go.mod' }),
    item('t5', 'npm', 'lodash', '4.17.21'),
    item('t6', 'npm', 'JSONStream', '1.0.0'),
    item('t7', 'npm', 'jsonstream', '1.0.0'),
  ],
  alerts: [
    // One has the override, one the acknowledgement, one is open: all of it stays.
    alert('a1', 'Go', goutils, 'CVE-1', { acknowledged_at: day(4), acknowledged_by: 'Bob', acknowledged_note: 'seen' }),
    alert('a2', 'Go', lower, 'CVE-1', { ...resolved, first_seen_at: day(1), versions: ['0.9.0'] }),
    // The newer of two overrides stays.
    alert('b1', 'Go', goutils, 'CVE-2'),
    alert('b2', 'Go', lower, 'CVE-2'),
    // Without overrides, the oldest.
    alert('c1', 'Go', goutils, 'CVE-3', { first_seen_at: day(2) }),
    alert('c2', 'Go', lower, 'CVE-3'),
    alert('d', 'npm', 'lodash', 'CVE-4', { advisory_ids: ['GHSA-w1', 'GHSA-w2'], versions: ['4.17.21'] }),
    alert('e', 'npm', 'lodash', 'CVE-5', { advisory_ids: ['GHSA-w1', 'GHSA-ok1'], versions: ['4.17.21'] }),
    alert('f', 'npm', 'lodash', 'CVE-6', { ...resolved, versions: ['4.17.0'] }),
    alert('g', 'npm', 'gone', 'CVE-7', resolved),
    alert('h', 'npm', 'lodash', 'CVE-8', { ...resolved, advisory_ids: ['GHSA-w3'], versions: ['4.17.21'] }),
    alert('i', 'npm', 'lodash', 'CVE-9', { ...resolved, versions: ['4.17.21'] }),
  ],
  verdicts: [
    verdict('a1'),
    verdict('a2', override('sandboxed', 4)),
    verdict('b1', override('newer', 6)),
    verdict('b2', override('older', 5)),
    verdict('c1'),
    verdict('c2'),
  ],
  usage_dependencies: [used(goutils, 3), used(lower, 1)],
};

const rowsOf = (table: string) => after[table] ?? [];
const find = (table: string, id: string) => rowsOf(table).find((row) => row['id'] === id);
const ids = (table: string) => rowsOf(table).map((row) => String(row['id']));

describe('names in another case become one', () => {
  test('of an advisory, with the ranges, versions and symbols of both', () => {
    const names = rowsOf('advisory_packages').map((row) => [row['advisory_id'], row['package_name']].join(' '));
    expect(names.toSorted()).toEqual([
      `GHSA-ok1 ${lower}`,
      'GHSA-ok2 github.com/burntsushi/toml',
      'GHSA-ok3 serde-json',
      'GHSA-w1 JSONStream',
      `GO-1 ${lower}`,
    ]);
    const merged = rowsOf('advisory_packages').find((row) => row['advisory_id'] === 'GO-1');
    expect(merged).toMatchObject({ ecosystem: 'Go', symbols: ['a', 'b', 'c'] });
    expect(merged?.['affected']).toEqual({
      ranges: expect.arrayContaining([
        { type: 'SEMVER', events: [{ introduced: '1.0.0' }] },
        { type: 'SEMVER', events: [{ introduced: '2.0.0' }] },
      ]),
      versions: expect.arrayContaining(['1.0.0', '2.0.0']),
    });
  });

  test('of a manifest, with the stronger scope; npm names stay two', () => {
    expect(ids('tech_stack_items').toSorted()).toEqual(['t2', 't3', 't4', 't5', 't6', 't7']);
    expect(find('tech_stack_items', 't2')).toMatchObject({
      ...{ package_name: lower, scope: 'runtime', direct: true, deprecated: 'use another' },
    });
    expect(find('tech_stack_items', 't4')).toMatchObject({ name: goutils, package_name: lower });
    expect(find('tech_stack_items', 't6')).toMatchObject({ package_name: 'JSONStream' });
  });

  test('of a usage report and of package health', () => {
    expect(rowsOf('usage_dependencies')).toMatchObject([{ package_name: lower, production_sites: 3 }]);
    const kept = rowsOf('package_health').map((row) => [row['package_name'], row['deprecated']].join(': '));
    expect(kept.toSorted()).toEqual(['rand: gone', 'serde-json: use another']);
  });
});

describe('alerts on two spellings become one', () => {
  test('that keeps the override, the acknowledgement, and is open if either was', () => {
    expect(ids('alerts').filter((id) => id.startsWith('a'))).toEqual(['a2']);
    expect(find('alerts', 'a2')).toMatchObject({
      ...{ package_name: lower, resolved_at: null, resolution: null, turns: ['2025-01-03'] },
      ...{ acknowledged_by: 'Bob', acknowledged_note: 'seen', versions: ['0.9.0', '1.0.0'] },
      first_seen_at: new Date(day(1)),
    });
    expect(rowsOf('verdicts').find((row) => row['alert_id'] === 'a2')).toMatchObject({ override_reason: 'sandboxed' });
  });

  test('with the newer of two overrides, and the oldest of those without', () => {
    expect(
      ids('alerts')
        .filter((id) => /^[bc]/.test(id))
        .toSorted(),
    ).toEqual(['b1', 'c1']);
    expect(
      rowsOf('verdicts')
        .map((row) => row['alert_id'])
        .toSorted(),
    ).toEqual(['a2', 'b1', 'c1']);
    expect(find('alerts', 'c1')).toMatchObject({ name: lower < goutils ? lower : goutils, package_name: lower });
  });

  test('and the counts follow', () => {
    const open = rowsOf('alerts').filter((row) => row['resolved_at'] === null);
    const counted = rowsOf('posture_counts').filter((row) => String(row['state']).startsWith('open'));
    expect(counted.reduce((total, row) => total + Number(row['count']), 0)).toBe(open.length);
  });
});

test('advisories that their title withdraws are withdrawn, and their feeds are read again', () => {
  const withdrawn = rowsOf('advisories').filter((row) => row['withdrawn'] !== null);
  expect(withdrawn.map((row) => row['id']).toSorted()).toEqual(['1', '2', '3', '4', '5', '6'].map((n) => `GHSA-w${n}`));
  expect(find('advisories', 'GHSA-w1')).toMatchObject({ withdrawn: new Date(day(1)) });
  expect(find('advisories', 'GHSA-w6')).toMatchObject({ withdrawn: new Date(day(20)) });
  const again = rowsOf('feeds').filter((row) => row['content_hash'] === null && row['etag'] === null);
  expect(again.map((row) => row['name'])).toEqual(['osv:npm']);
});

test('each resolved alert has its reason, and one without a valid advisory is resolved', () => {
  const reasons = rowsOf('alerts').map((row) => [row['id'], row['resolution']].join(': '));
  expect(reasons.filter((each) => /^[d-i]/.test(each)).toSorted()).toEqual([
    'd: advisory_withdrawn',
    'e: ',
    'f: upgraded',
    'g: package_removed',
    'h: advisory_withdrawn',
    'i: no_longer_affected',
  ]);
  expect(find('alerts', 'd')?.['resolved_at']).not.toBeNull();
});
