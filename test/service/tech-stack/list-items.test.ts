import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { techStack } from '../../../src/procedures/tech-stack.js';
import { at } from '../../support/at.js';
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
    expect(await named('&q=LODASH')).toEqual(['@types/Lodash@1.0.0', 'lodash@4.0.0', 'lodash.merge@1.0.0']);
    expect(await named('&q=dash.')).toEqual(['lodash.merge@1.0.0']);
    expect(await named('&q=%25')).toEqual([]);
    expect(await named('&ecosystem=PyPI')).toEqual(['flask@1.0.0']);
    expect(await named('&scope=development')).toEqual(['lodash.merge@1.0.0']);
    expect(await named('&direct=true')).toEqual(['flask@1.0.0', 'lodash@4.0.0']);
    // Unknown is neither.
    expect(await named('&direct=false')).toEqual(['lodash.merge@1.0.0']);
    expect(await named('&q=lodash&direct=true&ecosystem=npm')).toEqual(['lodash@4.0.0']);
    expect(await list('&q=lodash&page_size=2')).toMatchObject({ total: 3, has_more: true });
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
    expect(at(await list('&q=nothing'), 'coverage.gaps')).toEqual(expect.any(Array));
    expect((await list()).coverage).toBeNull();
  });

  test.each([
    ['q', 'x'.repeat(201)],
    ['ecosystem', 'CPAN'],
    ['scope', 'test'],
    ['direct', 'perhaps'],
    ['at_risk', '1'],
  ])('takes no %s %s', async (field, value) => {
    const { body } = await service.call(key, 'GET', `${path}?${field}=${value}`);
    expect(body).toMatchObject({ status: 422, errors: [{ field }] });
  });
});
