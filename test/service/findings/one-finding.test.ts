import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';
import { trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { alert, site, zap } from '../scanners/zap/zap-report.js';
import { newScannedProject } from './scanned-project.js';

type Project = Awaited<ReturnType<typeof newScannedProject>>;

let service: TestService;
let project: Project;
let other: Project;
beforeAll(async () => {
  service = await startService();
  [project, other] = [await newScannedProject(service), await newScannedProject(service)];
});
afterAll(() => service.close());

const [one, two] = [result(1), result(2)];
const url = 'https://shop.example.com';
const image = (...ids: string[]) =>
  trivyReport(
    'acme/a:1',
    ids.map((id) => vulnerability(id, 'openssl')),
  );

/** Two reports of each domain: the second one no longer has the first finding. */
const domains = [
  ['sast/findings', 'sast/reports?source_repo=shop', sarif(run([one, two])), sarif(run([two]))],
  ['dast/findings', 'dast/reports', zap(site(url, alert('10020'), alert('40012'))), zap(site(url, alert('40012')))],
  ['containers/findings', 'containers/reports', image('CVE-1989-1', 'CVE-1989-2'), image('CVE-1989-2')],
] as const;

describe.each(domains)('%s', (list, upload, first, second) => {
  const read = async (query: string, of = project) => (await of.call('GET', `/${list}?${query}`)).body;

  test('have one finding alone, whatever its state, in its project and over all projects', async () => {
    expect((await project.call('POST', `/${upload}`, first)).status).toBe(200);
    const { items } = Object(await read('page_size=100'));
    expect(items).toHaveLength(2);
    expect((await project.call('POST', `/${upload}`, second)).status).toBe(200);
    const states = [];
    for (const id of items.map((item: unknown) => textAt(item, 'id'))) {
      const body = await read(`finding_id=${id}`);
      expect(body).toMatchObject({ items: [{ id }], total: 1, has_more: false, coverage: null });
      states.push(at(body, 'items.0.state'));
      const { body: anywhere } = await service.call(project.key, 'GET', `/api/${list}?finding_id=${id}`);
      expect(anywhere).toMatchObject({ items: [{ id, project: { id: project.projectId } }], total: 1 });
      const { body: elsewhere } = await service.call(other.key, 'GET', `/api/${list}?finding_id=${id}`);
      expect(elsewhere).toMatchObject({ status: 404, resource: 'finding' });
    }
    expect(states.toSorted()).toEqual(['fixed', 'open']);
  });

  test('say that a finding is not there, and not that none is', async () => {
    expect(await read('finding_id=fnd_none')).toMatchObject({ status: 404, resource: 'finding' });
    const others = domains.filter(([name]) => name !== list);
    for (const [name, path, report] of others) {
      await project.call('POST', `/${path}`, report);
      const { body } = await project.call('GET', `/${name}`);
      const id = textAt(body, 'items.0.id');
      expect(await read(`finding_id=${id}`), `${id} is of ${name}`).toMatchObject({ status: 404, resource: 'finding' });
    }
  });
});

test('an image goes by its id in one project, by its ref in all that have it', async () => {
  const scanned = image('CVE-1989-1', 'CVE-1989-2');
  const shop = await newScannedProject(service);
  const { body: made } = await service.call(shop.key, 'POST', '/api/projects', { name: 'blog' });
  const blog = textAt(made, 'id');
  const [first, second] = [
    await shop.call('POST', '/containers/reports', scanned),
    await service.call(shop.key, 'POST', `/api/projects/${blog}/containers/reports`, scanned),
  ];
  const projectsOf = async (query: string) => {
    const { body } = await service.call(shop.key, 'GET', `/api/containers/findings?image=${query}`);
    return [at(body, 'items')].flat().map((item) => at(item, 'project.id'));
  };
  expect(await projectsOf(textAt(first.body, 'image_id'))).toEqual([shop.projectId, shop.projectId]);
  expect(await projectsOf(textAt(second.body, 'image_id'))).toEqual([blog, blog]);
  expect((await projectsOf('acme/a:1')).toSorted()).toEqual([blog, blog, shop.projectId, shop.projectId].toSorted());
  const unknown = await service.call(shop.key, 'GET', '/api/containers/findings?image=acme/none:1');
  expect(unknown.body).toMatchObject({ status: 404, resource: 'image' });
});
