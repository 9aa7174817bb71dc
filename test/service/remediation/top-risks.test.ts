import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { posture } from '../../../src/procedures/posture.js';
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

/** A critical flaw of the package in versions below `fixed`; with `fixed` null in all versions. */
async function flaw(name: string, fixed: string | null) {
  const facts = { ...critical, cvss_vector, cves: [unique.cve()] };
  const known = advisory(unique.advisoryId(), '0', fixed ?? '0', facts);
  const endless = { ranges: [{ type: 'ECOSYSTEM' as const, events: [{ introduced: '0' }] }], versions: [] };
  await storeAdvisory(service.database, name, fixed === null ? { ...known, affected: endless } : known);
}

interface Given {
  readonly name: string;
  readonly version: string;
  readonly direct?: boolean;
  readonly dependencies?: readonly number[];
}

async function newProject(packages: readonly Given[]) {
  const project = await projectWithVerdicts(service);
  const given = packages.map(({ name, version, ...rest }) => ({ purl: `pkg:npm/${name}@${version}`, ...rest }));
  const { organisation, path, projectId } = project;
  const body = { source: 'lock', packages: given };
  const answer = await service.call(organisation.writeKey, 'POST', `${path}/tech-stack/sync`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const risks = async () => {
    const asked = await service.call(
      organisation.readKey,
      'GET',
      `/api/posture/dependencies/risks?project_id=${projectId}`,
    );
    return posture.getDomainRisks.output.parse(asked.body).risks;
  };
  return { ...project, risks };
}

describe('alerts that one upgrade closes', () => {
  test('are one risk: the worst, with a version that closes all of them', async () => {
    const [direct, name] = [unique.packageName(), unique.packageName()];
    for (const fixed of ['1.9.0', '1.10.0', '1.10.0']) await flaw(name, fixed);
    const project = await newProject([
      { name: direct, version: '3.0.0', direct: true, dependencies: [1] },
      { name, version: '1.2.0', direct: false, dependencies: [] },
    ]);
    await project.upload(report([dependency(`pkg:npm/${name}@1.2.0`, 'imported')]));
    const [only, ...others] = await project.risks();
    expect(others).toEqual([]);
    const priority = 3 * (only?.effective_priority ?? Number.NaN);
    expect(only?.fix).toEqual({
      package: name,
      steps: [{ from: '1.2.0', to: '1.10.0', status: 'published', direct: `pkg:npm/${direct}@3.0.0` }],
      ...{ more: 0, scope: 'runtime', closes: 3, leaves: 0, priority: expect.closeTo(priority) },
    });
    await project.sync(`pkg:npm/${direct}@3.0.0`, `pkg:npm/${name}@1.10.0`);
    expect(await project.risks()).toEqual([]);
  });

  test('leave open what has no fix, with the nearest version that has only that', async () => {
    const name = unique.packageName();
    await flaw(name, '1.5.0');
    await flaw(name, null);
    const project = await newProject([{ name, version: '1.0.0', direct: true }]);
    const [{ fix } = { fix: null }, ...others] = await project.risks();
    expect(others).toEqual([]);
    const steps = [{ from: '1.0.0', to: '1.5.0', status: 'published', direct: 'itself' }];
    expect(fix).toMatchObject({ steps, closes: 1, leaves: 1 });
    expect(fix?.priority).toBeNull();
    await project.sync(`pkg:npm/${name}@1.5.0`);
    const [{ fix: after } = { fix: null }] = await project.risks();
    expect(after).toMatchObject({ steps: [{ from: '1.5.0', to: null }], closes: 0, leaves: 1 });
  });

  test('have a target for each version, in its own line where that has a fix', async () => {
    const name = unique.packageName();
    const lines = advisory(unique.advisoryId(), '0', '1.9.1', { ...critical, cvss_vector, cves: [unique.cve()] });
    const events = [{ introduced: '4.0.0' }, { fixed: '4.1.2' }];
    const [range] = lines.affected.ranges;
    if (range === undefined) throw new Error('no range');
    const ranges = [range, { type: 'ECOSYSTEM' as const, events }];
    await storeAdvisory(service.database, name, { ...lines, affected: { ranges, versions: [] } });
    const project = await newProject([
      { name, version: '1.2.0' },
      { name, version: '4.0.5' },
    ]);
    const [{ fix } = { fix: null }] = await project.risks();
    expect(fix).toMatchObject({
      steps: [
        { from: '4.0.5', to: '4.1.2', status: 'published', direct: null },
        { from: '1.2.0', to: '1.9.1', status: 'published', direct: null },
      ],
      ...{ closes: 1, leaves: 0 },
    });
    // One of the two is not enough: the alert is about both.
    await project.sync(`pkg:npm/${name}@1.9.1`, `pkg:npm/${name}@4.0.5`);
    expect(await project.risks()).toHaveLength(1);
    await project.sync(`pkg:npm/${name}@1.9.1`, `pkg:npm/${name}@4.1.2`);
    expect(await project.risks()).toEqual([]);
  });

  test('stay open where one of their versions has no target', async () => {
    const name = unique.packageName();
    await flaw(name, '2.0.0');
    const known = advisory(unique.advisoryId(), '0', '1', { ...critical, cvss_vector, cves: [unique.cve()] });
    await storeAdvisory(service.database, name, { ...known, affected: { ranges: [], versions: ['2.0.0', '3.0.0'] } });
    const project = await newProject([
      { name, version: '1.0.0' },
      { name, version: '3.0.0' },
    ]);
    const [{ fix } = { fix: null }] = await project.risks();
    expect(fix).toMatchObject({ closes: 0, leaves: 2 });
    expect(fix?.steps.map(({ to }) => to)).toEqual([null, null]);
  });

  test('of many versions name those of the worst first, then the highest, in the order of versions', async () => {
    const name = unique.packageName();
    await flaw(name, '1.5.0');
    const versions = ['1.0.0', '1.2.0', '1.4.9', '1.4.10'];
    const project = await newProject(versions.map((version) => ({ name, version })));
    const [{ fix } = { fix: null }] = await project.risks();
    expect(fix?.steps.map(({ from }) => from)).toEqual(['1.4.10', '1.4.9', '1.2.0']);
    expect(fix).toMatchObject({ more: 1, closes: 1 });
    const other = unique.packageName();
    await flaw(other, '1.3.0');
    const low = advisory(unique.advisoryId(), '1.3.0', '2.0.0', { cves: [unique.cve()] });
    await storeAdvisory(service.database, other, low);
    const two = await newProject(['1.0.0', '1.4.0', '1.5.0', '1.6.0'].map((version) => ({ name: other, version })));
    const [{ fix: ofWorst } = { fix: null }] = await two.risks();
    expect(ofWorst?.steps.map(({ from, to }) => [from, to])).toEqual([
      ['1.0.0', '2.0.0'],
      ['1.6.0', '2.0.0'],
      ['1.5.0', '2.0.0'],
    ]);
  });

  test('are grouped also where one package has more alerts than are read at first', async () => {
    const [many, one] = [unique.packageName(), unique.packageName()];
    const project = await newProject([{ name: one, version: '1.0.0' }]);
    await flaw(one, '2.0.0');
    await project.sync(`pkg:npm/${one}@1.0.0`, `pkg:npm/${many}@1.0.0`);
    await flaw(many, '2.0.0');
    await service.database.system(async (tx) => {
      const [row] = await tx.selectFrom('alerts').selectAll().where('project_id', '=', project.projectId).execute();
      if (row === undefined) throw new Error('no alert');
      const { organisation_id, project_id, first_seen_at, cves, ...rest } = row;
      const values = Array.from({ length: 250 }, (_, nth) => ({
        ...{ organisation_id, project_id, first_seen_at, cves, ecosystem: rest.ecosystem, versions: rest.versions },
        ...{ id: `${rest.id}-${nth}`, package_name: many, name: many, vulnerability_id: `CVE-1990-${nth}` },
        ...{ advisory_ids: rest.advisory_ids, title: 'any', tier: 'RED' as const, cvss_score: 10, malicious: false },
        ...{ cvss_version: '3.1', cvss_vector, turns: rest.turns, safe_version: '2.0.0', kev_added: '2024-01-01' },
      }));
      await tx.insertInto('alerts').values(values).execute();
    });
    const risks = await project.risks();
    expect(risks.map(({ package: name, fix }) => [name, fix?.closes])).toEqual([
      [`pkg:npm/${many}@1.0.0`, 250],
      [`pkg:npm/${one}@1.0.0`, 1],
    ]);
  });
});
