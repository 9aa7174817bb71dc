import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reevaluateMonitoredImages } from '../../../src/service/containers/reevaluate.js';
import { removeDeletedProjects } from '../../../src/service/projects/removed-projects.js';
import { at } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { newProject } from '../projects/new-project.js';
import { layersOf, trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { inProject, newScannedProject } from './scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const red = vulnerability('CVE-1990-2001', 'a', { Severity: 'CRITICAL' });
const green = vulnerability('CVE-1990-2002', 'b', { Severity: 'LOW' });

describe('the list of images', () => {
  test('has each by its ref, with digest, system and open counts', async () => {
    const { scan, get } = await newScannedProject(service);
    const digest = `sha256:${'12'.repeat(32)}`;
    const other = `sha256:${'34'.repeat(32)}`;
    await scan(trivyReport('shop:2', [green]));
    await scan(
      trivyReport('acme/shop:1', [red, green], [], {
        RepoDigests: [`acme/other@${other}`, `acme/shop@${digest}`],
      }),
    );
    expect((await get('/images')).body).toMatchObject({
      total: 2,
      has_more: false,
      items: [
        {
          ref: 'docker.io/acme/shop:1',
          digest,
          os: 'debian 12.5',
          monitored: false,
          tiers: { red: 1, yellow: 0, green: 1 },
        },
        { ref: 'docker.io/library/shop:2', digest: null, tiers: { red: 0, yellow: 0, green: 1 } },
      ],
    });
    const second = await get('/images?page=2&page_size=1');
    expect(second.body).toMatchObject({ total: 2, items: [{ ref: 'docker.io/library/shop:2' }], has_more: false });
  });

  test('counts what is open alone', async () => {
    const { scan, items } = await newScannedProject(service);
    await scan(trivyReport('shop:1', [red, green]));
    await scan(trivyReport('shop:1', [green]));
    expect(await items('/images')).toMatchObject([{ tiers: { red: 0, yellow: 0, green: 1 } }]);
  });
});

describe('the list of findings', () => {
  test('is of one image, by id, ref or short name', async () => {
    const { scan, items } = await newScannedProject(service);
    const id = await scan(trivyReport('shop:1', [red, green]));
    await scan(trivyReport('shop:2', [green]));
    expect(await items('/findings')).toHaveLength(3);
    for (const image of [id, 'docker.io/library/shop:1', 'shop:1']) {
      const found = await items(`/findings?image=${encodeURIComponent(image)}`);
      expect(found, image).toHaveLength(2);
      expect(found[0]).toMatchObject({ image_id: id, image_ref: 'docker.io/library/shop:1', tier: 'RED' });
    }
    expect(await items('/findings?image=shop:1&severity=low')).toHaveLength(1);
  });

  test('is a 404 for an image that is not the project’s', async () => {
    const { scan, get, organisation } = await newScannedProject(service);
    await scan(trivyReport('shop:1', []));
    const neighbour = inProject(service, organisation.writeKey, await newProject(service, organisation), organisation);
    const other = await newScannedProject(service);
    const ids = [await neighbour.scan(trivyReport('other:1', [])), await other.scan(trivyReport('other:1', []))];
    for (const image of [...ids, 'other:1', 'no name at all', 'img_missing']) {
      expect(await get(`/findings?image=${encodeURIComponent(image)}`), image).toMatchObject({
        status: 404,
        body: { code: 'not_found', resource: 'image' },
      });
    }
  });
});

describe('what belongs to another', () => {
  test('is not found: image, project and organisation', async () => {
    const own = await newScannedProject(service);
    const id = await own.scan(trivyReport('shop:1', []));
    const other = await newScannedProject(service);
    const neighbour = await newProject(service, own.organisation);
    const dockerfile = { path: 'Dockerfile', text: 'FROM a' };
    const calls: [method: string, rest: string, body?: object][] = [
      ['GET', `/images/${id}/base-image-advice`],
      ['PATCH', `/images/${id}`, { monitored: true }],
      ['PUT', `/images/${id}/dockerfile`, dockerfile],
    ];
    for (const [method, rest, body] of calls) {
      for (const [key, project, resource] of [
        [other.key, own.projectId, 'project'],
        [other.key, other.projectId, 'image'],
        [own.key, neighbour, 'image'],
        [own.key, 'prj_missing', 'project'],
      ] as const) {
        const answer = await service.call(key, method, `/api/projects/${project}/containers${rest}`, body);
        expect(answer, `${method} ${rest}`).toMatchObject({ status: 404, body: { resource } });
      }
    }
    for (const list of ['images', 'findings']) {
      const answer = await service.call(other.key, 'GET', `${own.path}/${list}`);
      expect(answer).toMatchObject({ status: 404, body: { resource: 'project' } });
    }
    expect(await own.items('/images')).toMatchObject([{ monitored: false }]);
  });

  test('a key that reads may not write', async () => {
    const { scan, path, organisation } = await newScannedProject(service);
    const id = await scan(trivyReport('shop:1', []));
    for (const [method, rest, body] of [
      ['PATCH', '', { monitored: true }],
      ['PUT', '/dockerfile', { path: 'Dockerfile', text: 'FROM a' }],
    ] as const) {
      const answer = await service.call(organisation.readKey, method, `${path}/images/${id}${rest}`, body);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  test('goes with its project', async () => {
    const { scan, projectId, key, findings } = await newScannedProject(service);
    const id = await scan(trivyReport('shop:1', [red]));
    expect((await service.call(key, 'DELETE', `/api/projects/${projectId}`)).status).toBe(200);
    await removeDeletedProjects(service.database);
    expect(await findings()).toEqual([]);
    const images = await service.database.system((tx) =>
      tx.selectFrom('container_images').select('id').where('id', '=', id).execute(),
    );
    expect(images).toEqual([]);
  });
});

test('a new scan keeps monitoring and Dockerfile', async () => {
  const { scan, key, path, get } = await newScannedProject(service);
  const id = await scan(trivyReport('shop:1', [red], [], layersOf('x', 'y')));
  await service.call(key, 'PATCH', `${path}/images/${id}`, { monitored: true });
  const file = { path: 'deploy/Dockerfile', text: 'FROM acme/base:1\n' };
  expect(await service.call(key, 'PUT', `${path}/images/${id}/dockerfile`, file)).toMatchObject({
    status: 200,
    body: { image_id: id, path: 'deploy/Dockerfile', stages: 1 },
  });
  expect(await scan(trivyReport('shop:1', [green], [], layersOf('x', 'z')))).toBe(id);
  expect(at((await get('/images')).body, 'items.0')).toMatchObject({ monitored: true, tiers: { red: 0, green: 1 } });
  expect((await get(`/images/${id}/base-image-advice`)).body).toMatchObject({
    base: { ref: 'docker.io/acme/base:1', image_id: null, known_from: 'FROM in line 1 of its Dockerfile' },
    dockerfile: { file: 'deploy/Dockerfile', line: 1, current: 'FROM acme/base:1' },
  });
});

describe('a Dockerfile', () => {
  test('is refused where it is none', async () => {
    const { scan, key, path } = await newScannedProject(service);
    const id = await scan(trivyReport('shop:1', []));
    const put = (body: object) => service.call(key, 'PUT', `${path}/images/${id}/dockerfile`, body);
    for (const [body, field] of [
      [{ path: 'Dockerfile', text: 'RUN x' }, 'text'],
      [{ path: 'Dockerfile', text: '' }, 'text'],
      [{ path: 'Dockerfile', text: `FROM a\n${'#'.repeat(256 * 1024)}` }, 'text'],
      [{ path: ' ', text: 'FROM a' }, 'path'],
      [{ text: 'FROM a' }, 'path'],
    ] as const) {
      expect(await put(body)).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ field }] } });
    }
  });

  test('and monitoring are set once: the same again is not audited', async () => {
    const { scan, key, path } = await newScannedProject(service);
    const id = await scan(trivyReport('shop:1', []));
    for (let time = 0; time < 2; time += 1) {
      const text = `FROM a AS ${'b'}\nFROM b\n`;
      await service.call(key, 'PUT', `${path}/images/${id}/dockerfile`, { path: 'Dockerfile', text });
      await service.call(key, 'PATCH', `${path}/images/${id}`, { monitored: true });
    }
    const audited = await service.database.system((tx) =>
      tx.selectFrom('audit_log').select(['action', 'after']).where('target_id', '=', id).orderBy('at').execute(),
    );
    expect(audited).toMatchObject([
      { action: 'containers.upload_report' },
      { action: 'containers.set_dockerfile', after: { path: 'Dockerfile', stages: 2 } },
      { action: 'containers.update_image', after: { monitored: true } },
    ]);
  });
});

describe('new intelligence', () => {
  const scored = async (cve: string, probability: number) => {
    await service.database.system((tx) =>
      tx
        .insertInto('epss')
        .values({ cve, probability, percentile: 0.9, scored_on: '2025-08-15', model: 'v1' })
        .onConflict((conflict) => conflict.column('cve').doUpdateSet({ probability }))
        .execute(),
    );
  };

  test('re-judges the findings of monitored images, and of no other', async () => {
    const { scan, items, key, path } = await newScannedProject(service);
    const cve = `CVE-1990-${randomUUID().replaceAll(/\D/g, '').padEnd(8, '1')}`;
    const high = vulnerability(cve, 'a');
    const id = await scan(trivyReport('shop:1', [high, red]));
    await scan(trivyReport('shop:2', [high]));
    const tiers = async () => (await items('/images')).map((image) => at(image, 'tiers'));
    expect(await tiers()).toEqual([
      { red: 1, yellow: 1, green: 0 },
      { red: 0, yellow: 1, green: 0 },
    ]);
    await scored(cve, 0.5);
    await reevaluateMonitoredImages(service.database);
    expect(await tiers()).toMatchObject([{ red: 1 }, { red: 0 }]);
    // What was missed before it was monitored is made up for.
    const watched = await service.call(key, 'PATCH', `${path}/images/${id}`, { monitored: true });
    expect(watched).toMatchObject({ status: 200, body: { monitored: true, tiers: { red: 2, yellow: 0 } } });
    expect(await tiers()).toMatchObject([{ red: 2 }, { red: 0 }]);
    await scored(cve, 0.001);
    await service.database.system((tx) =>
      tx
        .insertInto('kev')
        .values({ cve, date_added: '2025-02-03', due_date: null, ransomware: false })
        .onConflict((conflict) => conflict.column('cve').doNothing())
        .execute(),
    );
    expect(await reevaluateMonitoredImages(service.database)).toBeGreaterThanOrEqual(1);
    const found = (await items(`/findings?image=${id}`)).find((row) => row['vulnerability_id'] === cve);
    expect(found).toMatchObject({
      tier: 'RED',
      epss: { probability: 0.001 },
      kev: { date_added: '2025-02-03', due_date: null, ransomware: false },
    });
    await service.database.system((tx) => tx.deleteFrom('kev').where('cve', '=', cve).execute());
    await reevaluateMonitoredImages(service.database);
    expect(await tiers()).toMatchObject([{ red: 1, yellow: 1 }, { red: 0 }]);
    expect(await reevaluateMonitoredImages(service.database)).toBe(0);
  });
});
