import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detailLimits } from '../../../src/procedures/alert-details.js';
import { alerts } from '../../../src/procedures/alerts.js';
import { ownDatabase } from '../../support/own-database.js';
import { publishedFixes } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';
import { dependency, report } from '../reachability/report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ database: await ownDatabase() });
  await publishedFixes(service.database);
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

interface Given {
  readonly name: string;
  readonly version: string;
  readonly direct?: boolean;
  readonly dependencies?: readonly number[];
}

/** A project whose stack a test gives; `alertOn` reads the alert of a package. */
async function newProject() {
  const project = await projectWithVerdicts(service);
  const { organisation, path } = project;
  const get = async (rest: string) => (await service.call(organisation.readKey, 'GET', `${path}/alerts${rest}`)).body;
  return {
    ...project,
    async flaw(id = unique.advisoryId(), introduced = '0', fixed = '2.0.0', name = unique.packageName()) {
      await storeAdvisory(service.database, name, advisory(id, introduced, fixed));
      return name;
    },
    syncAll: async (packages: readonly Given[]) => {
      const given = packages.map(({ name, version, ...rest }) => ({ purl: `pkg:npm/${name}@${version}`, ...rest }));
      const body = { source: 'lock', force: true, packages: given };
      const answer = await service.call(organisation.writeKey, 'POST', `${path}/tech-stack/sync`, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
    async alertOn(name: string) {
      const [row] = alerts.list.output.parse(await get(`?package=${name}`)).items;
      return alerts.get.output.parse(await get(`/${row?.id}`));
    },
  };
}

const setTexts = (id: string, details: string | null, references: string[], kinds: string[]) =>
  service.database.system((tx) =>
    sql`update advisories set details = ${details}, "references" = ${references}::text[], reference_kinds = ${kinds}::text[]
      where id = ${id}`.execute(tx),
  );

describe('what the advisory says', () => {
  test('is its own words and its references, by kind, each once', async () => {
    const { flaw, syncAll, alertOn } = await newProject();
    const id = unique.advisoryId();
    const name = await flaw(id);
    const urls = ['https://a.example/web', 'https://a.example/fix', 'https://a.example/advisory'];
    await setTexts(
      id,
      '## Impact\nIt is bad.',
      [...urls, `https://a.example/${'x'.repeat(400)}`],
      ['web', 'fix', 'advisory'],
    );
    await syncAll([{ name, version: '1.0.0' }]);
    expect(await alertOn(name)).toMatchObject({
      description: '## Impact\nIt is bad.',
      references: [
        { kind: 'advisory', url: urls[2] },
        { kind: 'fix', url: urls[1] },
        { kind: 'web', url: urls[0] },
      ],
    });
  });

  test('is nothing where it says nothing, and an address without a kind is of the web', async () => {
    const { flaw, syncAll, alertOn } = await newProject();
    const id = unique.advisoryId();
    const name = await flaw(id);
    await setTexts(id, null, ['https://a.example/'], []);
    await syncAll([{ name, version: '1.0.0' }]);
    const references = [{ kind: 'web', url: 'https://a.example/' }];
    expect(await alertOn(name)).toMatchObject({ description: null, references });
  });
});

describe('how the package comes in', () => {
  test('is the way from a direct dependency, which the fix names', async () => {
    const { flaw, syncAll, alertOn } = await newProject();
    const name = await flaw();
    await syncAll([
      { name: 'app-kit', version: '3.0.0', direct: true, dependencies: [1] },
      { name: 'middle', version: '1.0.0', direct: false, dependencies: [2] },
      { name, version: '1.0.0', direct: false, dependencies: [] },
    ]);
    expect(await alertOn(name)).toMatchObject({
      dependency_paths: [['pkg:npm/app-kit@3.0.0', 'pkg:npm/middle@1.0.0', `pkg:npm/${name}@1.0.0`]],
      fix: {
        ...{ package: name, from: ['1.0.0'], to: '2.0.0', direct: 'pkg:npm/app-kit@3.0.0', is_direct: false },
        closes_alerts: 1,
      },
      no_fix: null,
    });
  });

  test('is itself where it is direct, and not known without a graph', async () => {
    const { flaw, syncAll, alertOn } = await newProject();
    const [direct, unknown] = [await flaw(), await flaw()];
    await syncAll([
      { name: direct, version: '1.0.0', direct: true },
      { name: unknown, version: '1.0.0' },
    ]);
    expect(await alertOn(direct)).toMatchObject({
      dependency_paths: [[`pkg:npm/${direct}@1.0.0`]],
      fix: { direct: null, is_direct: true },
    });
    expect(await alertOn(unknown)).toMatchObject({
      dependency_paths: null,
      fix: { direct: null, is_direct: null },
    });
  });
});

describe('the fix', () => {
  test('counts the open alerts that the same upgrade closes, and its prediction comes true', async () => {
    const { flaw, syncAll, alertOn, organisation, path } = await newProject();
    const name = await flaw(unique.advisoryId(), '0', '2.0.0');
    await flaw(unique.advisoryId(), '0', '2.1.0', name);
    await flaw(unique.advisoryId(), '3.0.0', '3.0.1', name);
    await syncAll([{ name, version: '1.0.0' }]);
    const { fix } = await alertOn(name);
    expect(fix).toMatchObject({ from: ['1.0.0'], to: '2.1.0', closes_alerts: 2 });
    await syncAll([{ name, version: fix?.to ?? '' }]);
    const { body } = await service.call(organisation.readKey, 'GET', `${path}/alerts?resolved=false`);
    expect(body).toMatchObject({ total: 0 });
    expect(await alertOn(name)).toMatchObject({ fix: null, no_fix: 'resolved' });
  });

  test('does not count an alert on a version that the upgrade leaves', async () => {
    const { flaw, syncAll, organisation, path } = await newProject();
    const name = await flaw(unique.advisoryId(), '0', '2.0.0');
    await flaw(unique.advisoryId(), '0', '3.5.0', name);
    await syncAll([
      { name, version: '1.0.0' },
      { name, version: '3.0.0' },
    ]);
    const { body } = await service.call(organisation.readKey, 'GET', `${path}/alerts`);
    const details = await Promise.all(
      alerts.list.output.parse(body).items.map(async ({ id, versions }) => {
        const answer = await service.call(organisation.readKey, 'GET', `${path}/alerts/${id}`);
        return [versions.length, alerts.get.output.parse(answer.body).fix?.closes_alerts];
      }),
    );
    expect(details.toSorted()).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test('is none, and says why, where no version is known to be safe', async () => {
    const { syncAll, alertOn } = await newProject();
    const name = unique.packageName();
    const affected = { ranges: [], versions: ['1.0.0'] };
    await storeAdvisory(service.database, name, { ...advisory(unique.advisoryId(), '0', '1'), affected });
    await syncAll([{ name, version: '1.0.0' }]);
    expect(await alertOn(name)).toMatchObject({ safe_version: null, fix: null, no_fix: 'no_safe_version' });
  });
});

describe('the evidence', () => {
  test('has the first import sites and the override, and nothing before a usage report', async () => {
    const { flaw, syncAll, alertOn, upload, verdicts, override, organisation } = await newProject();
    const name = await flaw();
    await syncAll([{ name, version: '1.0.0' }]);
    expect(await alertOn(name)).toMatchObject({ import_sites: null, override: null });
    await upload(report([dependency(`pkg:npm/${name}@1.0.0`, 'reached')]));
    const [verdict] = await verdicts();
    await override(verdict?.id ?? '', { verdict: 'NotExploitable', reason: 'sandboxed' });
    expect(await alertOn(name)).toMatchObject({
      import_sites: { total: 1, sites: [{ file: 'src/a.ts', line: 12, column: 8, symbols: ['merge'] }] },
      override: {
        ...{ verdict: 'NotExploitable', reason: 'sandboxed', set_by: organisation.member.name },
        evidence_changed_since_override: false,
      },
    });
  });
});

test('an answer with everything at its bound is short enough for an agent', async () => {
  const { syncAll, alertOn, upload, verdicts, override, organisation, path } = await newProject();
  const name = unique.packageName();
  const id = unique.advisoryId();
  await storeAdvisory(service.database, name, advisory(id, '0', '2.0.0', { summary: 'long '.repeat(40_000) }));
  const urls = Array.from({ length: 20 }, (_, nth) => `https://a.example/${nth}/`.padEnd(detailLimits.url, 'path/'));
  await setTexts(
    id,
    'Some words of an advisory. '.repeat(1_000),
    urls,
    urls.map(() => 'web'),
  );
  const purl = `pkg:npm/${name}@1.0.0`;
  await syncAll([
    ...[1, 2, 3].map((nth) => ({
      name: `d${nth}-`.padEnd(200, 'x'),
      version: '1.0.0',
      direct: true,
      dependencies: [3],
    })),
    { name, version: '1.0.0', direct: false },
  ]);
  const [site] = dependency(purl, 'reached').sites;
  if (site === undefined) throw new Error('no site');
  const sites = Array.from({ length: 50 }, (_, nth) => ({
    ...site,
    ...{ line: nth + 1, file: `src/${'deep/'.repeat(180)}a.ts` },
    symbols: Array.from({ length: 50 }, (__, at) => `symbol${at}`.padEnd(200, 'y')),
  }));
  const { counts } = dependency(purl, 'reached');
  const all = { ...counts, prod: sites.length, reached: sites.length };
  await upload(report([dependency(purl, 'reached', { sites, counts: all })]));
  const [verdict] = await verdicts();
  await override(verdict?.id ?? '', { verdict: 'NotExploitable', reason: 'a reason '.repeat(222) });
  const detail = await alertOn(name);
  const note = { note: 'a note of ours '.repeat(133) };
  await service.call(organisation.writeKey, 'POST', `${path}/alerts/${detail.id}/acknowledge`, note);
  const answer = await alertOn(name);
  expect(answer.title).toHaveLength(detailLimits.title);
  expect(answer.description).toHaveLength(detailLimits.description);
  expect(answer.references).toHaveLength(detailLimits.references);
  expect(answer.import_sites).toMatchObject({ total: 50 });
  expect(answer.import_sites?.sites.length).toBeLessThanOrEqual(detailLimits.sites);
  // Words and paths have four characters and more to a token: this is well under 6,000 of them.
  expect(JSON.stringify(answer).length).toBeLessThan(20_000);
});
