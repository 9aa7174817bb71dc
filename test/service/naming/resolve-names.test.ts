import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { alertRow } from '../alerts/stack.js';
import { run, sarif } from '../scanners/sarif/sarif-report.js';
import { trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function project({ writeKey }: TestOrganisation, name: string): Promise<string> {
  const { status, body } = await service.call(writeKey, 'POST', '/api/projects', { name });
  expect(status).toBe(200);
  return textAt(body, 'id');
}

const read = ({ readKey }: TestOrganisation, path: string) => service.call(readKey, 'GET', `/api${path}`);
const named = (name: string) => encodeURIComponent(name);
const likelyOf = (body: unknown) => [at(body, 'likely') ?? []].flat().map((each) => textAt(each, 'name'));

describe('a project', () => {
  test('is found by its name, in any case and with space around it, in paths and in queries', async () => {
    const organisation = await service.newOrganisation();
    const id = await project(organisation, 'Shop / Web é');
    for (const name of ['Shop / Web é', ' SHOP / WEB é ', id]) {
      expect((await read(organisation, `/projects/${named(name)}`)).body).toMatchObject({ id });
      expect((await read(organisation, `/posture/dependencies/risks?project_id=${named(name)}`)).status).toBe(200);
      expect((await read(organisation, `/org/audit-log?project_id=${named(name)}`)).body).toMatchObject({
        items: [{ project: { id } }],
      });
    }
  });

  test('is changed by its name, and the audit log has its id', async () => {
    const organisation = await service.newOrganisation();
    const id = await project(organisation, 'Shop');
    const answer = await service.call(organisation.writeKey, 'PATCH', '/api/projects/shop', { exposure: 'internal' });
    expect(answer).toMatchObject({ status: 200, body: { id, exposure: 'internal' } });
    const { body } = await read(organisation, `/org/audit-log?action=project.update`);
    expect(body).toMatchObject({ items: [{ target: { kind: 'project', id }, project: { id, name: 'Shop' } }] });
  });

  test('an id that exists wins over a name', async () => {
    const organisation = await service.newOrganisation();
    const first = await project(organisation, 'first');
    await project(organisation, first);
    expect((await read(organisation, `/projects/${first}`)).body).toMatchObject({ id: first, name: 'first' });
  });

  test('is deleted by its id alone, and the error says which', async () => {
    const organisation = await service.newOrganisation();
    const id = await project(organisation, 'Shop');
    const call = (path: string, method = 'DELETE', body?: unknown) =>
      service.call(organisation.writeKey, method, `/api/projects/${path}`, body);
    const refused = { status: 404, body: { resource: 'project', reason: 'ids_only', likely: [{ id, name: 'Shop' }] } };
    expect(await call('shop')).toMatchObject(refused);
    expect(await call('shop/tech-stack/sync', 'POST', { source: 'x', packages: [] })).toMatchObject(refused);
    expect((await read(organisation, '/projects/shop')).status).toBe(200);
    expect((await call(id)).status).toBe(200);
    expect(await read(organisation, '/projects/shop')).toMatchObject({ status: 404 });
  });

  test('that nothing is called is a 404 with those that are likely', async () => {
    const organisation = await service.newOrganisation();
    for (const name of ['NodeGoat', 'node-goat api', 'Payments']) await project(organisation, name);
    const answer = await read(organisation, '/projects/nodegaot');
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', resource: 'project' } });
    expect(likelyOf(answer.body)).toEqual(['NodeGoat']);
    expect(likelyOf((await read(organisation, '/projects/goat/alerts')).body)).toEqual(['node-goat api', 'NodeGoat']);
    expect((await read(organisation, '/projects/zzz')).body).not.toHaveProperty('likely');
  });

  test('of another organisation is neither found by its name nor suggested', async () => {
    const [mine, other] = [await service.newOrganisation(), await service.newOrganisation()];
    const name = `secret ${randomUUID()}`;
    await project(other, name);
    await project(mine, 'Shop');
    for (const asked of [name, name.slice(0, -1), 'secret']) {
      const answer = await read(mine, `/projects/${named(asked)}`);
      expect(answer.status).toBe(404);
      expect(answer.body).not.toHaveProperty('likely');
    }
  });

  test('that a key is not bound to is neither found by its name nor suggested', async () => {
    const organisation = await service.newOrganisation();
    const id = await project(organisation, 'shop web');
    await project(organisation, 'shop api');
    const body = { name: 'bound', scope: 'ReadWrite', project_ids: [id] };
    const made = await service.call(organisation.admin.session, 'POST', '/api/org/api-keys', body);
    const key = textAt(made.body, 'key');
    expect((await service.call(key, 'GET', '/api/projects/Shop%20Web')).body).toMatchObject({ id });
    for (const asked of ['shop api', 'shop ap']) {
      const answer = await service.call(key, 'PATCH', `/api/projects/${named(asked)}`, { exposure: 'internal' });
      expect(answer.status).toBe(404);
      expect(likelyOf(answer.body)).not.toContain('shop api');
    }
  });

  test('that was deleted is not found by its name', async () => {
    const organisation = await service.newOrganisation();
    const id = await project(organisation, 'Shop');
    await service.call(organisation.writeKey, 'DELETE', `/api/projects/${id}`);
    const again = await project(organisation, 'shop');
    expect((await read(organisation, '/projects/SHOP')).body).toMatchObject({ id: again });
  });

  test('whoever may not call learns nothing of names', async () => {
    const organisation = await service.newOrganisation();
    await project(organisation, 'Shop');
    for (const name of ['Shop', 'Shap']) {
      const answer = await service.call(organisation.readKey, 'PATCH', `/api/projects/${name}`, {
        exposure: 'internal',
      });
      expect(answer.body).toMatchObject({ code: 'forbidden' });
      expect(answer.body).not.toHaveProperty('likely');
    }
  });

  test('an Idempotency-Key is the same by name and by id', async () => {
    const organisation = await service.newOrganisation();
    const id = await project(organisation, 'Shop');
    const add = (path: string) => {
      const item = { ecosystem: 'npm', name: 'left-pad', version: '1.0.0' };
      return service.call(organisation.writeKey, 'POST', `/api/projects/${path}/tech-stack`, item, {
        'Idempotency-Key': 'once',
      });
    };
    const [first, again] = [await add('shop'), await add(id)];
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  test.each(['a%00b', '%20', 'x'.repeat(201)])('%s is no name', async (name) => {
    const organisation = await service.newOrganisation();
    expect(await read(organisation, `/projects/${name}`)).toMatchObject({ status: 422 });
  });
});

describe('an alert and its verdict', () => {
  const cve = 'CVE-2024-10001';

  /** A project with these alerts; a verdict on each. */
  async function withAlerts(...alerts: ReadonlyArray<{ package_name: string; resolved_at?: Date; turns?: string[] }>) {
    const organisation = await service.newOrganisation({ plan: 'Business' });
    const projectId = await project(organisation, 'Shop');
    const rows = alerts.map((alert) => ({
      ...alertRow(organisation.id, projectId),
      ...{ vulnerability_id: cve, cves: [cve], versions: ['1.0.0'], turns: ['2024-01-01'] },
      ...alert,
    }));
    await service.database.system((tx) => tx.insertInto('alerts').values(rows).execute());
    return { organisation, ids: rows.map(({ id }) => id) };
  }

  test('are found by the vulnerability, in any case, where one alert is about it', async () => {
    const { organisation, ids } = await withAlerts({ package_name: 'lodash' });
    for (const id of [cve, cve.toLowerCase()]) {
      expect((await read(organisation, `/projects/shop/alerts/${id}`)).body).toMatchObject({ id: ids[0] });
    }
    const path = `/api/projects/shop/alerts/${cve}/acknowledge`;
    expect((await service.call(organisation.writeKey, 'POST', path, {})).body).toMatchObject({ id: ids[0] });
    const { body } = await read(organisation, '/org/audit-log?action=alert.acknowledge');
    expect(body).toMatchObject({ items: [{ target: { kind: 'alert', id: ids[0] } }] });
  });

  test('an unresolved alert is meant before resolved ones', async () => {
    const gone = { package_name: 'left-pad', resolved_at: new Date(), turns: ['2024-01-01', '2024-01-02'] };
    const { organisation, ids } = await withAlerts(gone, { package_name: 'lodash' });
    expect((await read(organisation, `/projects/shop/alerts/${cve}`)).body).toMatchObject({ id: ids[1] });
  });

  test('of several, the error names them', async () => {
    const { organisation, ids } = await withAlerts({ package_name: 'lodash' }, { package_name: 'underscore' });
    const answer = await read(organisation, `/projects/shop/alerts/${cve}`);
    expect(answer).toMatchObject({ status: 404, body: { resource: 'alert', reason: 'several_match' } });
    const likely = [at(answer.body, 'likely')].flat();
    expect(likely.map((each) => textAt(each, 'id'))).toEqual([...ids].sort());
    expect(likelyOf(answer.body).sort()).toEqual([`${cve} in lodash 1.0.0`, `${cve} in underscore 1.0.0`]);
  });

  test('without one, each is what was not found', async () => {
    const { organisation } = await withAlerts({ package_name: 'lodash' });
    const verdicts = '/projects/shop/reachability/verdicts';
    expect((await read(organisation, `${verdicts}/${cve}`)).body).toMatchObject({ resource: 'verdict' });
    expect((await read(organisation, '/projects/shop/alerts/CVE-2024-99999')).body).toMatchObject({
      resource: 'alert',
    });
    const unknown = `/projects/prj_${'a'.repeat(20)}/alerts/${cve}`;
    expect((await read(organisation, unknown)).body).toMatchObject({ resource: 'project' });
  });
});

test('a repository that was never scanned is an error that names those there are', async () => {
  const organisation = await service.newOrganisation();
  const id = await project(organisation, 'Shop');
  const path = `/projects/${id}/sast`;
  const empty = await read(organisation, `${path}/findings?source_repo=https://example.com/shap`);
  expect(empty).toMatchObject({ status: 200, body: { total: 0, coverage: { status: 'unknown' } } });
  const upload = `/api${path}/reports?source_repo=https://example.com/shop`;
  expect((await service.call(organisation.writeKey, 'POST', upload, sarif(run([])))).status).toBe(200);
  expect((await read(organisation, `${path}/findings?source_repo=https://example.com/shop.git`)).status).toBe(200);
  for (const prefix of [path, '/sast']) {
    expect(await read(organisation, `${prefix}/findings?source_repo=https://example.com/shap`)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'source_repo', reason: 'unknown_source', known: ['https://example.com/shop'] }] },
    });
  }
});

test('an image is found by its ref, and likely ones are named', async () => {
  const organisation = await service.newOrganisation();
  const id = await project(organisation, 'Shop');
  const report = trivyReport('acme/node:1', [vulnerability('CVE-1989-1', 'openssl')]);
  expect(
    (await service.call(organisation.writeKey, 'POST', `/api/projects/shop/containers/reports`, report)).status,
  ).toBe(200);
  const advice = (ref: string) =>
    read(organisation, `/projects/shop/containers/images/${named(ref)}/base-image-advice`);
  const { body } = await read(organisation, `/projects/${id}/containers/images`);
  const image = textAt(body, 'items.0.id');
  for (const ref of ['acme/node:1', 'docker.io/acme/node:1', image]) {
    expect((await advice(ref)).body).toMatchObject({ image: { id: image } });
  }
  const wrong = await advice('acme/node:2');
  expect(wrong).toMatchObject({ status: 404, body: { resource: 'image' } });
  expect(likelyOf(wrong.body)).toEqual(['docker.io/acme/node:1']);
});

describe('an alert without its project', () => {
  async function alertIn(organisation: TestOrganisation, projectId: string, vulnerability_id: string) {
    const id = `alr_${randomUUID().replaceAll('-', '')}`;
    const row = { ...alertRow(organisation.id, projectId), id, vulnerability_id, cves: [vulnerability_id] };
    await service.database.system((tx) =>
      tx
        .insertInto('alerts')
        .values({ ...row, turns: ['2024-01-01'] })
        .execute(),
    );
    return row.id;
  }
  const newCve = () => `CVE-1990-${Math.floor(Math.random() * 1e9) + 1000}`;

  test('is found by its id, or by the id of a vulnerability that one alert alone is about, and names its project', async () => {
    const organisation = await service.newOrganisation();
    const [first, second] = [await project(organisation, 'First'), await project(organisation, 'Second')];
    const [cve, common] = [newCve(), newCve()];
    const id = await alertIn(organisation, second, cve);
    const both = [await alertIn(organisation, first, common), await alertIn(organisation, second, common)];
    for (const asked of [id, cve, cve.toLowerCase()]) {
      const { body } = await read(organisation, `/alerts/${asked}`);
      expect(body).toMatchObject({ id, project_id: second, project: { id: second, name: 'Second' } });
    }
    expect(at((await read(organisation, `/projects/${second}/alerts/${id}`)).body, 'project')).toBeUndefined();
    const { status, body } = await read(organisation, `/alerts/${common}`);
    expect([status, at(body, 'reason')]).toEqual([404, 'several_match']);
    expect(likelyOf(body).toSorted()).toEqual([`${common} in any 1.0.0, First`, `${common} in any 1.0.0, Second`]);
    const [one = ''] = both;
    expect((await read(organisation, `/alerts/${one}`)).status).toBe(200);
    expect(await read(organisation, '/reachability/verdicts/vrd_none')).toMatchObject({
      ...{ status: 404, body: { resource: 'verdict' } },
    });
  });

  test('is not there for another organisation, for a key of other projects, nor in a deleted project', async () => {
    const organisation = await service.newOrganisation();
    const [first, second] = [await project(organisation, 'First'), await project(organisation, 'Second')];
    const cve = newCve();
    const id = await alertIn(organisation, second, cve);
    const asked = { name: 'bound', scope: 'ReadOnly', project_ids: [first] };
    const { body } = await service.call(organisation.admin.session, 'POST', '/api/org/api-keys', asked);
    const keys = [(await service.newOrganisation()).readKey, textAt(body, 'key')];
    const refused = { status: 404, body: { resource: 'alert' } };
    for (const key of keys)
      for (const given of [id, cve])
        expect(await service.call(key, 'GET', `/api/alerts/${given}`)).toMatchObject(refused);
    expect((await read(organisation, `/alerts/${id}`)).status).toBe(200);
    expect((await service.call(organisation.writeKey, 'DELETE', `/api/projects/${second}`)).status).toBe(200);
    for (const given of [id, cve]) expect(await read(organisation, `/alerts/${given}`)).toMatchObject(refused);
  });
});
