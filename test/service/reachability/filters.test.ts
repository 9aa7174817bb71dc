import { afterAll, beforeAll, expect, test } from 'vitest';
import { reachability } from '../../../src/procedures/reachability.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newProject } from '../projects/new-project.js';
import { type JudgedProject, projectWithVerdicts } from './project-with-verdicts.js';
import { dependency, report } from './report.js';

let service: TestService;
let organisation: TestOrganisation;
let shop: JudgedProject;
let blog: string;
const names = { reached: unique.packageName(), imported: unique.packageName(), unused: unique.packageName() };

beforeAll(async () => {
  service = await startService();
  shop = await projectWithVerdicts(service);
  organisation = shop.organisation;
  blog = await newProject(service, organisation);
  const facts = { cvss_version: '3.1', cvss_score: 9.1, cvss_vector: 'any' };
  for (const name of Object.values(names)) {
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', facts));
  }
  const purls = Object.values(names).map((name) => `pkg:npm/${name}@1.0.0`);
  const used = report([
    dependency(purls[0] ?? '', 'reached'),
    dependency(purls[1] ?? '', 'imported'),
    dependency(purls[2] ?? '', 'unused'),
  ]);
  await shop.sync(...purls);
  await shop.upload(used);
  await shop.expose('internet');
  const path = `/api/projects/${blog}`;
  const packages = purls.slice(0, 2).map((purl) => ({ purl }));
  await service.call(shop.organisation.writeKey, 'POST', `${path}/tech-stack/sync`, { source: 'lock', packages });
  await service.call(organisation.writeKey, 'POST', `${path}/reachability/usage-reports`, used);
});
afterAll(() => service.close());

async function list(query: string, path = '/api/reachability/verdicts') {
  const { status, body } = await service.call(organisation.readKey, 'GET', `${path}?page_size=100${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return reachability.listVerdicts.output.parse(body);
}

/** Which package of which project, in the order of the list. */
const pairs = async (query: string) =>
  (await list(query)).items.map(
    ({ package: { name }, project }) =>
      `${Object.entries(names).find(([, each]) => each === name)?.[0]} ${project?.id === blog ? 'blog' : 'shop'}`,
  );

test('verdicts are filtered by class of use and by exposure, over all projects and in one', async () => {
  const all = await list('');
  expect(all.total).toBe(5);
  const priorities = all.items.map(({ effective_priority }) => effective_priority);
  expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
  const classes = new Set(all.items.map(({ evidence }) => evidence.usage.class));
  expect(classes.size).toBe(3);
  for (const usage of classes) {
    const found = await list(`&usage=${usage}`);
    const expected = all.items.filter(({ evidence }) => evidence.usage.class === usage);
    expect(found.items, usage).toEqual(expected);
    expect(found.total).toBe(expected.length);
    for (const band of ['likely_exploitable', 'needs_review', 'likely_not_exploitable']) {
      const narrowed = await list(`&usage=${usage}&band=${band}`);
      expect(narrowed.items).toEqual(expected.filter((each) => each.band === band));
      expect(narrowed.total).toBe(narrowed.items.length);
    }
  }
  expect((await pairs('&exposure=internet')).toSorted()).toEqual(['imported shop', 'reached shop', 'unused shop']);
  expect((await pairs('&exposure=unknown')).toSorted()).toEqual(['imported blog', 'reached blog']);
  expect((await list('&exposure=unknown')).total).toBe(2);
  expect((await list('&exposure=isolated')).total).toBe(0);
  const inShop = await list('&exposure=unknown', `${shop.path}/reachability/verdicts`);
  expect([inShop.total, inShop.coverage?.status]).toEqual([0, 'unknown']);
});

test('each verdict names the analyser and time of its own project’s report', async () => {
  const { items } = await list('');
  for (const path of [shop.path, `/api/projects/${blog}`]) {
    const own = (await list('', `${path}/reachability/verdicts`)).items;
    const same = items.filter(({ id }) => own.some((each) => each.id === id));
    expect(same.map(({ project: _project, ...rest }) => rest)).toEqual(own);
  }
});

test('a list without rows says of how many projects nothing was analyzed', async () => {
  await newProject(service, organisation);
  const { coverage } = await list('&exposure=isolated');
  expect(coverage?.gaps).toContain('1 of 3 projects have no usage report: their alerts have no verdict');
});

test.each([
  ['usage.0', 'sometimes'],
  ['exposure', 'moon'],
])('takes no %s %s', async (field, value) => {
  const { body } = await service.call(
    organisation.readKey,
    'GET',
    `/api/reachability/verdicts?${field.split('.')[0]}=${value}`,
  );
  expect(body).toMatchObject({ status: 422, errors: [{ field }] });
});
