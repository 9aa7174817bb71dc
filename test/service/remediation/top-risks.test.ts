import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { posture } from '../../../src/procedures/posture.js';
import { toUpgrade } from '../../../src/service/remediation/package-upgrades.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { projectWithVerdicts } from '../reachability/project-with-verdicts.js';
import { dependency, report } from '../reachability/report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

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
      ...{ from: ['1.2.0'], to: '1.10.0', scope: 'runtime', package: name },
      ...{ direct: `pkg:npm/${direct}@3.0.0`, closes: 3, leaves: 0, priority: expect.closeTo(priority) },
    });
    await project.sync(`pkg:npm/${direct}@3.0.0`, `pkg:npm/${name}@1.10.0`);
    expect(await project.risks()).toEqual([]);
  });

  test('leave as many open as have no safe version, and name none where that is all', async () => {
    const name = unique.packageName();
    await flaw(name, '1.5.0');
    await flaw(name, null);
    const project = await newProject([{ name, version: '1.0.0', direct: true }]);
    const [{ fix } = { fix: null }] = await project.risks();
    expect(fix).toMatchObject({ from: ['1.0.0'], to: null, direct: null, closes: 0, leaves: 2 });
    expect(fix?.priority).toBeNull();
  });

  test('of several versions name the last ones, and the version above all of them', async () => {
    const name = unique.packageName();
    await flaw(name, '1.5.0');
    const versions = ['1.0.0', '1.2.0', '1.4.9', '1.4.10'];
    const project = await newProject(versions.map((version) => ({ name, version })));
    const [{ fix } = { fix: null }] = await project.risks();
    expect(fix).toMatchObject({ from: ['1.2.0', '1.4.9', '1.4.10'], to: '1.5.0', direct: null, closes: 1 });
  });

  test('are grouped also where one package has more alerts than are read at first', async () => {
    const [many, one] = [unique.packageName(), unique.packageName()];
    const project = await newProject([{ name: one, version: '1.0.0' }]);
    await flaw(one, '2.0.0');
    await project.sync(`pkg:npm/${one}@1.0.0`, `pkg:npm/${many}@1.0.0`);
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

test('versions are compared as the ecosystem does, not as text', () => {
  const affected = {
    ...{ id: 'a', project_id: 'p', ecosystem: 'npm' as const, package_name: 'x', name: 'x', scope: null, direct: null },
    ...{ versions: ['9.0.0', '10.0.0'], safe_versions: ['10.0.1', '9.1.0'], closable: 2, open: 2, priority: null },
  };
  expect(toUpgrade(affected, null)).toMatchObject({ from: ['9.0.0', '10.0.0'], to: '10.0.1' });
});
