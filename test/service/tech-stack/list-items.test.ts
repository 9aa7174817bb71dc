import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { techStack } from '../../../src/procedures/tech-stack.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

let service: TestService;
let key: string;
let path: string;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  const project = await newOrganisationWithProject(service);
  key = project.key;
  path = `/api/projects/${project.projectId}/tech-stack`;
});
afterAll(() => service.close());

const sync = (...packages: readonly object[]) =>
  service.call(key, 'POST', `${path}/sync`, { source: 'lock', packages, force: true });

async function list(query = '') {
  const { body } = await service.call(key, 'GET', `${path}?${query}`);
  return techStack.list.output.parse(body);
}

const named = async (query = '') => (await list(query)).items.map(({ name, version }) => `${name}@${version}`);

describe('the list of tracked packages', () => {
  test('is filtered by a part of the name, ecosystem, scope and directness', async () => {
    await sync(
      { purl: 'pkg:npm/lodash@4.0.0', direct: true },
      { purl: 'pkg:npm/lodash.merge@1.0.0', direct: false, scope: 'development' },
      { purl: 'pkg:npm/%40types/Lodash@1.0.0' },
      { purl: 'pkg:pypi/flask@1.0.0', direct: true },
    );
    expect(await named('&package=LODASH')).toEqual(['@types/Lodash@1.0.0', 'lodash@4.0.0', 'lodash.merge@1.0.0']);
    expect(await named('&package=dash.')).toEqual(['lodash.merge@1.0.0']);
    expect(await named('&package=%25')).toEqual([]);
    expect(await named('&ecosystem=PyPI')).toEqual(['flask@1.0.0']);
    expect(await named('&scope=development')).toEqual(['lodash.merge@1.0.0']);
    expect(await named('&direct=true')).toEqual(['flask@1.0.0', 'lodash@4.0.0']);
    // Unknown is neither.
    expect(await named('&direct=false')).toEqual(['lodash.merge@1.0.0']);
    expect(await named('&package=lodash&direct=true&ecosystem=npm')).toEqual(['lodash@4.0.0']);
    expect(await named('&version=1.0.0&ecosystem=npm')).toEqual(['@types/Lodash@1.0.0', 'lodash.merge@1.0.0']);
    expect(await list('&package=lodash&page_size=2')).toMatchObject({ total: 3, has_more: true });
  });

  test('counts the unresolved alerts of each version', async () => {
    const [packageName, other] = [unique.packageName(), unique.packageName()];
    const score = { cvss_version: '3.1', cvss_vector: 'any' };
    const red = advisory(unique.advisoryId(), '0', '2.0.0', { ...score, cvss_score: 9.1 });
    const yellow = advisory(unique.advisoryId(), '0', '3.0.0', { ...score, cvss_score: 7.1 });
    await storeAdvisory(service.database, packageName, red);
    await storeAdvisory(service.database, packageName, yellow);
    const [one, two] = [`pkg:npm/${packageName}@1.0.0`, `pkg:npm/${packageName}@2.5.0`];
    await sync({ purl: one }, { purl: two }, { purl: `pkg:npm/${other}@1.0.0` });
    const alertsOf = async () => new Map((await list()).items.map((item) => [item.purl, item.alerts]));
    expect(await alertsOf()).toEqual(
      new Map([
        [one, { red: 1, yellow: 1, green: 0 }],
        [two, { red: 0, yellow: 1, green: 0 }],
        [`pkg:npm/${other}@1.0.0`, { red: 0, yellow: 0, green: 0 }],
      ]),
    );
    expect(await named('&at_risk=true')).toEqual([`${packageName}@1.0.0`, `${packageName}@2.5.0`]);
    // Resolved ones do not count.
    await sync({ purl: `pkg:npm/${packageName}@3.0.0` });
    expect(await alertsOf()).toEqual(new Map([[`pkg:npm/${packageName}@3.0.0`, { red: 0, yellow: 0, green: 0 }]]));
    expect(await named('&at_risk=true')).toEqual([]);
    expect(await named('&at_risk=false')).toEqual([`${packageName}@3.0.0`]);
  });

  test('has what is deprecated among what is at risk', async () => {
    await sync(
      { ecosystem: 'npm', name: 'old', version: '1.0.0', deprecated: 'use new' },
      { purl: 'pkg:npm/new@1.0.0' },
    );
    expect(await named('&at_risk=true')).toEqual(['old@1.0.0']);
    expect(await named('&at_risk=false')).toEqual(['new@1.0.0']);
  });

  test('without rows says what stands behind that', async () => {
    await sync({ purl: 'pkg:npm/a@1.0.0' });
    expect(at(await list('&package=nothing'), 'coverage')).toMatchObject({
      ...{ status: 'unknown', known: false },
      gaps: expect.arrayContaining(['no tracked package is named like nothing']),
    });
    expect(at(await list('&licence=GPL'), 'coverage.gaps')).toContain('1 package has no known licence');
    expect(at(await list('&direct=true'), 'coverage.gaps')).toContain('1 package has no known place in the graph');
    const brought = at(await list('&introduced_by=a'), 'coverage');
    expect(at(brought, 'gaps')).toContain('1 package has no known list of dependencies');
    expect(at(brought, 'known')).toBe(true);
    expect((await list()).coverage).toBeNull();
  });

  test.each([
    ['package', 'x'.repeat(201)],
    ['ecosystem', 'CPAN'],
    ['scope', 'test'],
    ['direct', 'perhaps'],
    ['at_risk', '1'],
  ])('takes no %s %s', async (field, value) => {
    const { body } = await service.call(key, 'GET', `${path}?${field}=${value}`);
    expect(body).toMatchObject({ status: 422, errors: [{ field }] });
  });
});

describe('over all projects', () => {
  async function newOrganisation() {
    const first = await newOrganisationWithProject(service);
    const { body } = await service.call(first.key, 'POST', '/api/projects', { name: 'Second' });
    const projects = [first.projectId, textAt(body, 'id')] as const;
    const send = async (nth: 0 | 1, rest: string, sent: object) => {
      const answer = await service.call(first.key, 'POST', `/api/projects/${projects[nth]}/tech-stack/${rest}`, sent);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    const everywhere = async (query: string) => {
      const { body } = await service.call(first.key, 'GET', `/api/tech-stack?${query}`);
      return techStack.list.output.parse(body);
    };
    const places = async (query: string) =>
      (await everywhere(query)).items.map(({ name, version, project }) => {
        return `${project?.id === projects[0] ? 'first' : 'second'} ${name}@${version}`;
      });
    return { ...first, projects, send, everywhere, places };
  }

  const lock = (...packages: readonly object[]) => ({ source: 'lock', packages });

  test('says where a package is, in which version, and what brings it in, by project', async () => {
    const { send, everywhere, places, projects } = await newOrganisation();
    await send(0, 'sync', {
      ...lock(
        { purl: 'pkg:npm/express@4.0.0', direct: true, dependencies: [1] },
        { purl: 'pkg:npm/body-parser@1.0.0', direct: false, dependencies: [2] },
        { purl: 'pkg:npm/qs@6.0.0', direct: false, dependencies: [] },
        { purl: 'pkg:npm/chalk@5.0.0', direct: true, dependencies: [] },
      ),
    });
    await send(1, 'sync', lock({ purl: 'pkg:npm/qs@6.1.0', direct: true }, { purl: 'pkg:pypi/Foo_Bar@1.0.0' }));
    expect((await places('package=qs')).toSorted()).toEqual(['first qs@6.0.0', 'second qs@6.1.0']);
    expect(await places('package=qs&version=6.1.0')).toEqual(['second qs@6.1.0']);
    expect(await places('package=foo_b')).toEqual(['second foo-bar@1.0.0']);
    expect(await places('package=body_')).toEqual([]);
    const { items } = await everywhere('package=qs');
    const bringers = new Map(items.map(({ project, introduced_by }) => [project?.id, introduced_by]));
    expect(bringers.get(projects[0])).toBe('pkg:npm/express@4.0.0');
    expect(bringers.get(projects[1])).toBe('itself');
    expect((await everywhere('')).items.map(({ introduced_by }) => introduced_by)).not.toContain('itself');
    expect(await places('introduced_by=express')).toEqual(['first body-parser@1.0.0', 'first qs@6.0.0']);
    expect(await places('introduced_by=body-parser')).toEqual(['first qs@6.0.0']);
    expect(await places('introduced_by=qs')).toEqual([]);
    const order = (await everywhere('')).items.map(({ project }) => project?.id);
    expect(new Set(order.filter((id, nth) => order[nth - 1] !== id)).size).toBe(2);
    expect(order.filter((id, nth) => order[nth - 1] !== id)).toHaveLength(2);
    expect(await everywhere('page_size=2')).toMatchObject({ total: 6, has_more: true });
  });

  test('by licence, as an SBOM names it', async () => {
    const { send, everywhere, places } = await newOrganisation();
    const component = (name: string, licenses: readonly object[]) => {
      return { type: 'library', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0`, licenses };
    };
    await send(1, 'sbom?source=sbom', {
      ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
      components: [
        component('a', [{ license: { id: 'GPL-3.0-only' } }]),
        component('b', [{ expression: 'MIT OR GPL-2.0-only' }]),
        component('c', [{ license: { id: 'MIT' } }, { license: { name: 'House rules' } }]),
        component('d', []),
      ],
    });
    expect(await places('licence=gpl')).toEqual(['second a@1.0.0', 'second b@1.0.0']);
    expect(await places('licence=HOUSE')).toEqual(['second c@1.0.0']);
    expect(await places('licence=expression')).toEqual([]);
    expect((await everywhere('package=c')).items[0]?.licences).toEqual(['MIT', 'House rules']);
    expect(at(await everywhere('licence=AGPL'), 'coverage.gaps')).toContain('1 package has no known licence');
  });

  test('within the projects that a key is for', async () => {
    const { send, projects, organisation } = await newOrganisation();
    await send(0, 'sync', lock({ purl: 'pkg:npm/a@1.0.0' }));
    await send(1, 'sync', lock({ purl: 'pkg:npm/b@1.0.0' }));
    const asked = { name: 'bound', scope: 'ReadOnly', project_ids: [projects[1]] };
    const bound = textAt(
      (await service.call(organisation.admin.session, 'POST', '/api/org/api-keys', asked)).body,
      'key',
    );
    const get = async (query: string) => (await service.call(bound, 'GET', `/api/tech-stack?${query}`)).body;
    expect(await get('')).toMatchObject({ items: [{ name: 'b', project: { id: projects[1] } }], total: 1 });
    expect(await get('package=a')).toMatchObject({ items: [], coverage: { known: false } });
  });
});
