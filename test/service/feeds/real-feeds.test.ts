import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { at } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { loadDataFile } from './load-data-file.js';

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
  }, 180_000);
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
