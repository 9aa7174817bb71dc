import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readLockfile } from '../../../src/reach/lockfiles/lockfile.js';
import { syncedPackages } from '../../../src/reach/sync/synced-packages.js';
import type { Database } from '../../../src/service/db/database.js';
import { folderWith } from '../../reach/folder.js';
import { at } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import { loadDataFile } from './load-data-file.js';

const goRecord = z.object({
  withdrawn: z.string().optional(),
  affected: z.array(
    z.object({
      package: z.object({ name: z.string() }),
      ranges: z.array(z.object({ events: z.array(z.record(z.string(), z.string())) })).default([]),
    }),
  ),
});

function goRecords() {
  const lines = readFileSync(dataFile('osv/go-vulndb.ndjson'), 'utf8').split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [goRecord.parse(JSON.parse(line))]));
}

/** Compared by numbers alone, apart from the code under test: no bound of these is near a pre-release of the version. */
function affects(
  { withdrawn, affected }: z.output<typeof goRecord>,
  name: string,
  version: readonly number[],
): boolean {
  const isFrom = (bound: string) => {
    const numbers = bound
      .split(/[.-]/)
      .slice(0, 3)
      .map((part) => Number.parseInt(part, 10) || 0);
    const place = numbers.findIndex((number, nth) => number !== (version[nth] ?? 0));
    return place === -1 || (numbers[place] ?? 0) < (version[place] ?? 0);
  };
  const ranges = affected.filter((each) => each.package.name === name).flatMap((each) => each.ranges);
  const isIn = (events: readonly Readonly<Record<string, string>>[]) =>
    events.reduce((inside, { introduced, fixed }) => {
      if (introduced !== undefined && isFrom(introduced)) return true;
      return fixed !== undefined && isFrom(fixed) ? false : inside;
    }, false);
  return withdrawn === undefined && ranges.some(({ events }) => isIn(events));
}

describe.skipIf(!hasData)('the real feeds', () => {
  let database: Database;
  let service: TestService;
  let organisation: TestOrganisation;
  let records = 0;

  beforeAll(async () => {
    database = await ownDatabase();
    for (const name of readdirSync(dataFile('osv')).filter((each) => each.endsWith('.ndjson'))) {
      const { counts } = await loadDataFile(database, 'osv', `osv/${name}`);
      records += counts.added + counts.updated + counts.unchanged + counts.skipped;
    }
    await loadDataFile(database, 'kev', 'kev/known_exploited_vulnerabilities.json');
    await loadDataFile(database, 'epss', 'epss/epss-subset-2025-08-15.csv');
    service = await startService({ database });
    organisation = await service.newOrganisation();
  });
  afterAll(async () => {
    await service.close();
    await database.close();
  });

  const check = async (purl: string) => {
    const answer = await service.call(
      organisation.readKey,
      'GET',
      `/api/intelligence/package?purl=${encodeURIComponent(purl)}`,
    );
    expect(answer.status).toBe(200);
    return answer.body;
  };

  test('load whole, without one unusable record, and a second time not at all', async () => {
    expect(records).toBe(18_069);
    expect(await loadDataFile(database, 'osv', 'osv/rustsec.ndjson')).toMatchObject({
      outcome: 'same',
      counts: { unchanged: 1206 },
    });
  });

  test('log4j-core 2.14.1: Log4Shell, known exploited, first of all', async () => {
    const body = await check('pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1');
    expect(at(body, 'advisories.0')).toMatchObject({
      id: 'GHSA-jfh8-c2jp-5v3q',
      cves: ['CVE-2021-44228'],
      tier: 'RED',
      severity: 'critical',
      cvss: { score: 10 },
      epss: { probability: 0.94358, percentile: 0.99955, date: '2025-08-15' },
      kev: { date_added: '2021-12-10', due_date: '2021-12-24', ransomware: true },
      url: 'https://github.com/advisories/GHSA-jfh8-c2jp-5v3q',
    });
    // Nothing is called safe by advisories of the year before.
    expect(at(body, 'safe_version')).toBeNull();
    expect(at(body, 'as_of')).toMatchObject({ epss: '2025-08-15', kev: '2025-08-25', stale: true });
  });

  test('log4j-core 2.17.1: nothing known, and not called safe by old advisories', async () => {
    expect(await check('pkg:maven/org.apache.logging.log4j/log4j-core@2.17.1')).toMatchObject({
      advisories: [],
      total: 0,
      safe_version: null,
    });
  });

  test('go.mod’s standard library has the advisories that the Go database has for its version', async () => {
    const folder = folderWith({ 'go.mod': 'module example.com/app\n\ngo 1.26.0\n' });
    const { packages } = await readLockfile(join(folder, 'go.mod'));
    const { projectId, key } = await newOrganisationWithProject(service);
    const { status, body } = await service.call(key, 'POST', `/api/projects/${projectId}/tech-stack/sync`, {
      source: 'go.mod',
      packages: syncedPackages(packages),
    });
    const affecting = (name: string) => goRecords().filter((record) => affects(record, name, [1, 26, 0])).length;
    const wanted = { stdlib: affecting('stdlib'), toolchain: affecting('toolchain') };
    expect(wanted.stdlib).toBeGreaterThan(20);
    expect([status, at(body, 'alerts.opened')]).toEqual([200, wanted.stdlib + wanted.toolchain]);
    expect(at(await check('pkg:golang/stdlib@1.26.0'), 'total')).toBe(wanted.stdlib);
    expect(at(await check('pkg:golang/stdlib@go1.26.0'), 'total')).toBe(wanted.stdlib);
  });

  test('lodash 4.17.11', async () => {
    const body = await check('pkg:npm/lodash@4.17.11');
    expect(body).toMatchObject({ health: { malicious: false }, package: { purl: 'pkg:npm/lodash@4.17.11' } });
    const cves = [at(body, 'advisories')].flat().flatMap((advisory) => at(advisory, 'cves'));
    expect(cves).toEqual(expect.arrayContaining(['CVE-2019-10744', 'CVE-2020-8203', 'CVE-2021-23337']));
    expect(at(body, 'advisories.0')).toMatchObject({ tier: 'RED' });
  });

  test('an advisory of several ecosystems, published a file each, is known in all of them', async () => {
    const ecosystems = await database.system((tx) =>
      tx
        .selectFrom('advisory_packages')
        .select('ecosystem')
        .distinct()
        .where('advisory_id', '=', 'GHSA-hpcf-8vf9-q4gj')
        .execute(),
    );
    expect(ecosystems).toHaveLength(2);
  });

  test('an older part of such an advisory is not lost to the newer one of another file', async () => {
    const parts = await database.system((tx) =>
      tx
        .selectFrom('advisory_packages')
        .select('ecosystem')
        .where('advisory_id', '=', 'GHSA-9qh2-6fxg-9m4g')
        .where('ecosystem', '=', 'PyPI')
        .execute(),
    );
    expect(parts.length).toBeGreaterThan(0);
  });

  test('an unmaintained crate is shown in its health, and is not a vulnerability', async () => {
    expect(await check('pkg:cargo/ansi_term@0.12.1')).toMatchObject({
      advisories: [],
      health: { unmaintained_since: '2021-08-18', malicious: false, source: 'RUSTSEC-2021-0139' },
      safe_version: null,
      coverage: { status: 'unknown', known: true },
    });
  });

  test('advisories that were taken back match nothing', async () => {
    const withdrawn = await database.system((tx) =>
      tx
        .selectFrom('advisories')
        .innerJoin('advisory_packages', 'advisory_packages.advisory_id', 'advisories.id')
        .select(['advisories.id', 'ecosystem', 'package_name'])
        .where('withdrawn', 'is not', null)
        .where('ecosystem', '=', 'crates.io')
        .limit(5)
        .execute(),
    );
    expect(withdrawn.length).toBeGreaterThan(0);
    for (const { id, package_name } of withdrawn) {
      const body = await check(`pkg:cargo/${package_name}@0.0.1`);
      expect([at(body, 'advisories')].flat().map((advisory) => at(advisory, 'id'))).not.toContain(id);
    }
  });
});
