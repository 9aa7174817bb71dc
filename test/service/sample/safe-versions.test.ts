import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alerts } from '../../../src/procedures/alerts.js';
import type { Database } from '../../../src/service/db/database.js';
import { type Advisory, toAdvisory } from '../../../src/service/matching/advisory.js';
import { isAffected } from '../../../src/service/matching/affected.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { type FirstRun, firstRun } from '../../../src/service/sample/first-run.js';
import { at, textAt } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { freshAdvisories } from '../../support/published-fixes.js';
import { testSecrets } from '../../support/secrets.js';
import { startService, type TestService } from '../../support/service.js';

let database: Database;
let service: TestService;
let dataDir: string;
let first: FirstRun | null;
let shown: Awaited<ReturnType<typeof sampleAlerts>>;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
  dataDir = await mkdtemp(join(tmpdir(), 'postern-sample-'));
  first = await firstRun({ database, secrets: testSecrets, dataDir, url: service.url, sample: true });
  // Alerts recommend nothing without a fresh feed, and the sample itself has none.
  await freshAdvisories(database);
  shown = await sampleAlerts();
  await database.system((tx) => tx.deleteFrom('feeds').where('name', '=', 'osv:fresh').executeTakeFirst());
});
afterAll(async () => {
  await service.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

const get = async (path: string) => (await service.call(first?.keys?.read_only ?? null, 'GET', path)).body;

async function sampleAlerts() {
  const projects = [at(await get('/api/projects'), 'items')].flat().map((project) => textAt(project, 'id'));
  const pages = await Promise.all(projects.map((id) => get(`/api/projects/${id}/alerts?page_size=100`)));
  return pages.flatMap((page) => alerts.list.output.parse(page).items);
}

test('the sample recommends no version that it knows to be vulnerable, and claims to know nothing else', async () => {
  const purl = (version: string) =>
    `/api/intelligence/package?purl=pkg:maven/org.apache.logging.log4j/log4j-core@${version}`;
  const log4shell = shown.find(({ cve }) => cve === 'CVE-2021-44228');
  expect(log4shell?.safe_version).toBe('2.17.1');
  expect(await get(purl('2.15.0'))).toMatchObject({ coverage: { status: 'affected' } });
  expect(await get(purl('2.17.1'))).toMatchObject({ total: 0, safe_version: null, coverage: { status: 'unknown' } });
  expect(await get('/api/intelligence/package?purl=pkg:pypi/django@1.0')).toMatchObject({
    safe_version: null,
    coverage: { status: 'unknown', known: false },
  });
});

describe.skipIf(!hasData)('against the real advisories', () => {
  const real: Advisory[] = [];
  beforeAll(() => {
    for (const name of hasData ? readdirSync(dataFile('osv')) : []) {
      for (const line of readFileSync(dataFile(`osv/${name}`), 'utf8').split('\n')) {
        if (line !== '') real.push(toAdvisory(osvRecordSchema.parse(JSON.parse(line))));
      }
    }
  });

  /** Ids of the real records about a package version. That an advisory was withdrawn stands in some titles alone. */
  const about = (ecosystem: string, name: string, version: string) =>
    real.flatMap(({ id, withdrawn, summary, informational, packages }) =>
      withdrawn === null &&
      !/^withdrawn\b/i.test(summary) &&
      informational === null &&
      packages.some(
        (each) =>
          each.ecosystem === ecosystem && each.name === name && isAffected(each.ecosystem, version, each.affected),
      )
        ? [id]
        : [],
    );

  test('each version that an alert of the sample recommends is affected by none', () => {
    const recommended = shown.flatMap(({ package: { ecosystem, name }, safe_version }) =>
      safe_version === null ? [] : [{ ecosystem, name, version: safe_version }],
    );
    expect(recommended.length).toBeGreaterThan(10);
    const bad = recommended.filter(({ ecosystem, name, version }) => about(ecosystem, name, version).length > 0);
    expect(bad).toEqual([]);
  });

  test('each advisory about a version that the sample tracks is in the sample', async () => {
    const [tracked, known] = await database.system(async (tx) => [
      await tx.selectFrom('tech_stack_items').select(['ecosystem', 'package_name', 'version']).execute(),
      new Set((await tx.selectFrom('advisories').select('id').execute()).map(({ id }) => id)),
    ]);
    const missing = tracked.flatMap(({ ecosystem, package_name, version }) =>
      about(ecosystem, package_name, version).filter((id) => !known.has(id)),
    );
    expect([...new Set(missing)]).toEqual([]);
  });
});
