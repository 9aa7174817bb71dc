import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { remediation } from '../../../src/procedures/remediation.js';
import { readList } from '../../../src/service/registries/read-list.js';
import { storeList } from '../../../src/service/registries/version-lists.js';
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

const critical = { severity: 'critical', cvss_score: 9.8, cvss_version: '3.1' } as const;
const cvss_vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';

/** A critical flaw of the package in versions below `fixed`; with `fixed` null in all versions. Answers its CVE. */
async function flaw(name: string, fixed: string | null) {
  const cve = unique.cve();
  const known = advisory(unique.advisoryId(), '0', fixed ?? '0', { ...critical, cvss_vector, cves: [cve] });
  const endless = { ranges: [{ type: 'ECOSYSTEM' as const, events: [{ introduced: '0' }] }], versions: [] };
  await storeAdvisory(service.database, name, fixed === null ? { ...known, affected: endless } : known);
  return cve;
}

/** Releases of a package, each with what it needs, as its registry has listed them. */
async function listed(name: string, releases: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const versions = Object.fromEntries(
    Object.entries(releases).map(([version, dependencies]) => [version, { dependencies }]),
  );
  const body = Buffer.from(JSON.stringify({ name, versions }));
  const listing = readList({ ecosystem: 'npm', name, body });
  const named = { ecosystem: 'npm', package_name: name, name } as const;
  await service.database.system((tx) => storeList(tx, named, listing, new Date()));
}

interface Given {
  readonly name: string;
  readonly version: string;
  readonly direct?: boolean;
  readonly dependencies?: readonly number[];
  readonly bundled_in?: readonly number[];
  readonly ranges?: readonly string[];
  readonly asked_by?: readonly { readonly file: string; readonly range: string }[];
}

const source = 'github.com/acme/shop:web/package-lock.json';

async function newProject(packages: readonly Given[], from = source) {
  const project = await projectWithVerdicts(service);
  const { organisation, path } = project;
  const synced = async (all: readonly Given[]) => {
    const given = all.map(({ name, version, ...rest }) => ({ purl: `pkg:npm/${name}@${version}`, ...rest }));
    const body = { source: from, packages: given };
    const answer = await service.call(organisation.writeKey, 'POST', `${path}/tech-stack/sync`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  await synced(packages);
  const plan = async (query = '') => {
    const { body, status } = await service.call(organisation.readKey, 'GET', `${path}/remediation/plan${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return remediation.plan.output.parse(body);
  };
  return { ...project, synced, plan };
}

describe('a plan', () => {
  test('names version, file and change, what brings it in, and its proof holds after the upgrade', async () => {
    const [parent, deep, direct] = [unique.packageName(), unique.packageName(), unique.packageName()];
    const cve = await flaw(deep, '1.10.0');
    await flaw(deep, '1.9.0');
    await flaw(direct, '3.0.0');
    // Else a newer one might bring in an old version of the direct one.
    await listed(deep, { '1.2.0': {}, '1.10.0': {} });
    const stack = (deepVersion: string, directVersion: string) => [
      { name: parent, version: '2.0.0', direct: true, dependencies: [1] },
      { name: deep, version: deepVersion, direct: false, dependencies: [] },
      { name: direct, version: directVersion, direct: true, dependencies: [] },
    ];
    const project = await newProject(stack('1.2.0', '2.5.0'));
    await project.upload(report([dependency(`pkg:npm/${deep}@1.2.0`, 'imported')]));
    const plan = await project.plan();
    const [first, second] = plan.upgrades;
    expect(first).toMatchObject({ package: deep, closes: 2, leaves: 0, scope: 'runtime', more_steps: 0 });
    expect(first?.cves).toContain(cve);
    const file = 'github.com/acme/shop:web/package.json';
    expect(first?.steps).toEqual([
      {
        ...{
          from: '1.2.0',
          to: '1.10.0',
          status: 'published',
          jump: 'minor',
          how: 'override',
          all_versions: false,
          more_files: 0,
        },
        brought_by: `pkg:npm/${parent}@2.0.0`,
        edits: [{ file, change: `overrides: "${deep}@<=1.10.0": "1.10.0"` }],
      },
    ]);
    expect(first?.sites?.total).toBeGreaterThan(0);
    expect(first?.sites?.first[0]).toMatch(/^\S+:\d+$/);
    expect(second?.steps).toEqual([
      {
        ...{
          from: '2.5.0',
          to: '3.0.0',
          status: 'published',
          jump: 'major',
          how: 'direct',
          all_versions: false,
          more_files: 0,
          brought_by: null,
        },
        edits: [{ file, change: `"${direct}": "3.0.0"` }],
      },
    ]);
    expect(plan.proof).toEqual({ open: 3, closes: 3, may_close: 0, left: 0, not_planned: 0 });
    await project.synced(stack('1.10.0', '3.0.0'));
    const after = await project.plan();
    expect(after).toMatchObject({ upgrades: [], proof: { open: 0, closes: 0, left: 0, not_planned: 0 } });
    expect(after.coverage.status).not.toBe('affected');
  });

  test('has a target for each version, and none for a version whose alerts stay anyway', async () => {
    const name = unique.packageName();
    const cve = unique.cve();
    const known = advisory(unique.advisoryId(), '0', '1.5.0', { ...critical, cvss_vector, cves: [cve] });
    const [range] = known.affected.ranges;
    if (range === undefined) throw new Error('no range');
    const endless = { type: 'ECOSYSTEM' as const, events: [{ introduced: '4.0.0' }] };
    await storeAdvisory(service.database, name, {
      ...known,
      affected: { ranges: [range, endless], versions: [] },
    });
    const low = advisory(unique.advisoryId(), '0', '1.4.0', { cves: [unique.cve()] });
    await storeAdvisory(service.database, name, low);
    const project = await newProject([
      { name, version: '1.0.0' },
      { name, version: '4.1.0' },
    ]);
    const { upgrades, stays_open, proof } = await project.plan();
    expect(upgrades).toHaveLength(1);
    expect(upgrades[0]?.steps.map(({ from, to }) => [from, to])).toEqual([['1.0.0', '1.5.0']]);
    expect(upgrades[0]).toMatchObject({ closes: 1, leaves: 1, priority: null, sites: null });
    expect(stays_open).toMatchObject({
      total: 1,
      worst: [{ vulnerability: cve, package: name, versions: ['1.0.0', '4.1.0'], why: 'no_safe_version' }],
    });
    expect(proof).toMatchObject({ open: 2, closes: 1, left: 1 });
    await project.synced([
      { name, version: '1.5.0' },
      { name, version: '4.1.0' },
    ]);
    expect((await project.plan()).proof).toMatchObject({ open: 1, closes: 0, left: 1 });
  });

  test('leaves what comes in the archive of a package that stays, and says which', async () => {
    const [carrier, held] = [unique.packageName(), unique.packageName()];
    await flaw(held, '2.0.0');
    const { plan } = await newProject([
      { name: carrier, version: '1.0.0', direct: true, dependencies: [1] },
      { name: held, version: '1.0.0', direct: false, dependencies: [], bundled_in: [0] },
    ]);
    const { upgrades, stays_open, proof } = await plan();
    expect(upgrades).toEqual([]);
    const bundled_in = `pkg:npm/${carrier}@1.0.0`;
    expect(stays_open.worst).toMatchObject([{ package: held, why: 'bundled', bundled_in, to: null }]);
    expect(proof).toEqual({ open: 1, closes: 0, may_close: 0, left: 1, not_planned: 0 });
  });

  test('leaves a package whose archive carries others, and names its version', async () => {
    const [carrier, held] = [unique.packageName(), unique.packageName()];
    await flaw(carrier, '2.0.0');
    const { plan } = await newProject([
      { name: carrier, version: '1.0.0', direct: true, dependencies: [1] },
      { name: held, version: '1.0.0', direct: false, dependencies: [], bundled_in: [0] },
    ]);
    const { upgrades, stays_open } = await plan();
    expect(upgrades).toEqual([]);
    expect(stays_open.worst).toMatchObject([
      { package: carrier, why: 'carries_others', to: '2.0.0', bundled_in: null },
    ]);
  });

  test('does not say that an alert stays when all that brings it in moves', async () => {
    const [parent, lost, other] = [unique.packageName(), unique.packageName(), unique.packageName()];
    await flaw(parent, '2.0.0');
    await flaw(lost, null);
    await flaw(other, null);
    const { plan } = await newProject([
      { name: parent, version: '1.0.0', direct: true, dependencies: [1] },
      { name: lost, version: '1.0.0', direct: false, dependencies: [] },
      { name: other, version: '1.0.0', direct: true, dependencies: [] },
    ]);
    const { upgrades, stays_open, proof, run } = await plan();
    expect(upgrades).toMatchObject([{ package: parent, closes: 1, may_close: 0, leaves: 0 }]);
    expect(proof).toEqual({ open: 3, closes: 1, may_close: 1, left: 1, not_planned: 0 });
    const whys = new Map(stays_open.worst.map((stay) => [stay.package, stay.why]));
    expect([whys.get(lost), whys.get(other)]).toEqual(['parent_moves', 'no_safe_version']);
    expect(run).toEqual([{ lockfile: source, delete_entries: [], commands: ['npm install', `npm update ${parent}`] }]);
  });

  test('makes no upgrade, and no command, of a name that is none', async () => {
    const [plain, hostile] = [unique.packageName(), `${unique.packageName()}$(id)`];
    await flaw(plain, '2.0.0');
    await flaw(hostile, '2.0.0');
    const { plan } = await newProject([
      { name: plain, version: '1.0.0', direct: true, dependencies: [] },
      { name: hostile, version: '1.0.0', direct: true, dependencies: [] },
    ]);
    const { upgrades, run } = await plan();
    expect(upgrades.map((upgrade) => upgrade.package)).toEqual([plain]);
    expect(run).toEqual([{ lockfile: source, delete_entries: [], commands: ['npm install', `npm update ${plain}`] }]);
  });

  test('overrides no version that is not installed, and counts on nothing that a moved package may bring in', async () => {
    const [parent, deep] = [unique.packageName(), unique.packageName()];
    await flaw(parent, '2.0.0');
    const ranges = [
      { type: 'ECOSYSTEM' as const, events: [{ introduced: '0' }, { fixed: '1.5.0' }] },
      { type: 'ECOSYSTEM' as const, events: [{ introduced: '2.0.0' }, { fixed: '2.3.0' }] },
    ];
    const known = advisory(unique.advisoryId(), '0', '1.5.0', { ...critical, cvss_vector, cves: [unique.cve()] });
    await storeAdvisory(service.database, deep, { ...known, affected: { ranges, versions: [] } });
    const { plan } = await newProject([
      { name: parent, version: '1.0.0', direct: true, dependencies: [1] },
      { name: deep, version: '1.0.0', direct: false, dependencies: [] },
    ]);
    const { upgrades } = await plan();
    const upgrade = upgrades.find((each) => each.package === deep);
    expect(upgrade?.steps[0]?.edits.map(({ change }) => change)).toEqual([`overrides: "${deep}@<=1.5.0": "1.5.0"`]);
    expect(upgrade).toMatchObject({ closes: 0, may_close: 1 });
  });

  test('keeps a direct dependency whose range npm would refuse beside an override', async () => {
    const name = unique.packageName();
    await flaw(name, '1.5.0');
    const { plan } = await newProject([
      { name, version: '1.6.0', direct: true, dependencies: [] },
      { name, version: '1.2.0', direct: false, dependencies: [] },
    ]);
    const { upgrades } = await plan();
    expect(upgrades[0]?.steps[0]?.edits.map(({ change }) => change)).toEqual([
      `overrides: "${name}@<=1.5.0": "1.5.0"`,
      `"${name}": "^1.6.0"`,
    ]);
  });

  test('has one target where an override names no version, and says that it replaces all', async () => {
    const name = unique.packageName();
    await flaw(name, '1.5.0');
    const versions = [
      { name, version: '1.0.0', direct: false, dependencies: [] },
      { name, version: '4.0.0', direct: false, dependencies: [] },
    ];
    const { plan } = await newProject(versions, 'github.com/acme/shop:yarn.lock');
    const { upgrades, run } = await plan();
    expect(upgrades[0]?.steps).toMatchObject([
      {
        from: '1.0.0',
        to: '4.0.0',
        jump: 'major',
        all_versions: true,
        edits: [{ change: `resolutions: "${name}": "4.0.0"` }],
      },
    ]);
    expect(run).toEqual([
      { lockfile: 'github.com/acme/shop:yarn.lock', delete_entries: [], commands: ['yarn install'] },
    ]);
  });

  test('counts on no tool that refuses a version which others forbid', async () => {
    const [parent, deep] = [unique.packageName(), unique.packageName()];
    await flaw(deep, '1.5.0');
    const packages = [
      { name: parent, version: '1.0.0', direct: true, dependencies: [1] },
      { name: deep, version: '1.0.0', direct: false, dependencies: [] },
    ];
    const { plan } = await newProject(packages, 'github.com/acme/shop:poetry.lock');
    const { upgrades, proof } = await plan();
    expect(upgrades).toMatchObject([{ package: deep, closes: 0, may_close: 1, leaves: 0 }]);
    expect(proof).toEqual({ open: 1, closes: 0, may_close: 1, left: 0, not_planned: 0 });
  });

  test('says what it does not know: which file, and what brings a package in', async () => {
    const name = unique.packageName();
    await flaw(name, '2.0.0');
    const { plan } = await newProject([{ name, version: '1.0.0' }], 'an sbom');
    const { upgrades } = await plan();
    expect(upgrades[0]?.steps).toEqual([
      {
        from: '1.0.0',
        to: '2.0.0',
        status: 'published',
        jump: 'major',
        how: 'unknown',
        all_versions: false,
        brought_by: null,
        edits: [],
        more_files: 0,
      },
    ]);
  });

  test('refreshes inside the ranges, and lifts what brings the rest in, as far as registries have listed releases', async () => {
    const [web, deep, pinned] = [unique.packageName(), unique.packageName(), unique.packageName()];
    await flaw(deep, '1.0.5');
    await flaw(pinned, '2.0.5');
    await listed(web, {
      '4.0.0': { [pinned]: '2.0.0', [deep]: '^1.0.0' },
      '4.1.0': { [pinned]: '2.0.5', [deep]: '^1.0.0' },
    });
    await listed(deep, { '1.0.0': {}, '1.0.5': {}, '1.0.7': {} });
    await listed(pinned, { '2.0.0': {}, '2.0.5': {} });
    const stack = [
      {
        ...{ name: web, version: '4.0.0', direct: true, dependencies: [1, 2], ranges: ['^1.0.0', '2.0.0'] },
        asked_by: [{ file: 'package.json', range: '~4.0.0' }],
      },
      { name: deep, version: '1.0.0', direct: false, dependencies: [] },
      { name: pinned, version: '2.0.0', direct: false, dependencies: [] },
    ];
    const { plan, upload } = await newProject(stack);
    const { refresh, upgrades, run, proof } = await plan();
    expect(refresh).toMatchObject({ packages: [deep], more_packages: 0, closes: 1, may_close: 0 });
    expect(upgrades).toMatchObject([
      {
        ...{ package: web, closes: 1, fixes: [pinned], more_fixes: 0, sites: null },
        steps: [
          {
            ...{ from: '4.0.0', to: '4.1.0', status: 'published', jump: 'minor', how: 'direct', brought_by: null },
            edits: [{ file: 'github.com/acme/shop:web/package.json', change: `"${web}": "~4.1.0"` }],
          },
        ],
      },
    ]);
    const names = [web, deep, pinned].toSorted().join(' ');
    expect(run).toEqual([{ lockfile: source, delete_entries: [], commands: ['npm install', `npm update ${names}`] }]);
    expect(proof).toEqual({ open: 2, closes: 2, may_close: 0, left: 0, not_planned: 0 });
    await upload(report([dependency(`pkg:npm/${web}@4.0.0`, 'imported')]));
    expect((await plan()).upgrades[0]?.sites?.first[0]).toMatch(/^\S+:\d+$/);
  });

  test('names as many upgrades as are asked for, and counts the others', async () => {
    const names = Array.from({ length: 4 }, () => unique.packageName());
    for (const name of names) await flaw(name, '2.0.0');
    await flaw(names[3] ?? '', '2.0.0');
    const { plan } = await newProject(names.map((name) => ({ name, version: '1.0.0' })));
    const two = await plan('?limit=2');
    expect(two.upgrades.map(({ closes }) => closes)).toEqual([2, 1]);
    expect(two.upgrades[0]?.package).toBe(names[3]);
    expect(two.unnamed).toEqual({ upgrades: 2, closes: 2 });
    expect(two.proof).toMatchObject({ closes: 5, left: 0 });
  });

  test('stays within its room where names and versions are long', async () => {
    const long = `${'x'.repeat(150)}`;
    const names = Array.from({ length: 12 }, (_, nth) => `${long}-${nth}-${unique.packageName()}`);
    for (const name of names) await flaw(name, '2.0.0');
    const versions = Array.from({ length: 6 }, (_, nth) => `1.0.${nth}`);
    const { plan } = await newProject(names.flatMap((name) => versions.map((version) => ({ name, version }))));
    const { upgrades, unnamed, proof } = await plan();
    expect(JSON.stringify(upgrades).length).toBeLessThan(10_000);
    expect(upgrades[0]).toMatchObject({ more_steps: 2 });
    expect(upgrades.length + unnamed.upgrades).toBe(12);
    expect(proof).toMatchObject({ open: 12, closes: 12, left: 0 });
  });

  test('of a project that is not there is not found', async () => {
    const { organisation } = await newProject([]);
    const { status } = await service.call(organisation.readKey, 'GET', '/api/projects/prj_none/remediation/plan');
    expect(status).toBe(404);
  });
});
