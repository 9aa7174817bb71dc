import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from '../../../src/shared/http/request-parts.js';
import { makeWorld, storeIntelligence, type World } from '../../conformance/world.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { listsOfAll } from '../../support/upstream.js';
import { newFilledProject } from './filled-project.js';

let service: TestService;
let world: World;
/** The second project of the organisation, whose name begins as no other's. */
let blog: { readonly id: string; readonly name: string };
let boundKey: string;
/** A member who sees the projects of one group alone. */
let viewer: string;

beforeAll(async () => {
  service = await startService();
  const intelligence = await storeIntelligence(service);
  world = await makeWorld(service, intelligence);
  // Of another organisation, with the same in it.
  await makeWorld(service, intelligence);
  blog = { name: `blog ${randomUUID()}`, id: await newProject(`blog`) };
  const { session } = world.organisation.admin;
  await ask('POST', '/api/groups', { name: 'Blogs' }, session);
  await ask('PATCH', `/api/projects/${blog.id}`, { name: blog.name, group: 'Blogs' }, session);
  const body = { name: 'bound', scope: 'ReadOnly', project_ids: [blog.id] };
  boundKey = textAt(await ask('POST', '/api/org/api-keys', body, world.organisation.admin.session), 'key');
  const member = await service.newMember(world.organisation.id, 'none');
  const groups = [{ group: 'Retail', role: 'viewer' }];
  await ask('PATCH', `/api/org/members/${member.id}`, { groups }, session);
  viewer = member.session;
});
afterAll(() => service.close());

async function ask(method: string, path: string, body?: unknown, credential = world.organisation.writeKey) {
  const answer = await service.call(credential, method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

const newProject = (name: string) => newFilledProject(service, world, name);

const lists = listsOfAll.map(
  ({ path, procedure, everywhere }) => [path, pathOf({ http: everywhere }), pathOf(procedure)] as const,
);

async function read(path: string, query = '', credential = world.organisation.readKey) {
  const body = await ask('GET', `${path}?page_size=100${query}`, undefined, credential);
  return { rows: [at(body, 'items')].flat(), total: at(body, 'total') };
}

const idOf = (row: unknown) => textAt(row, 'id');

describe.each(lists)('%s', (name, everywhere, ofProject) => {
  const readOne = (id: string) => read(ofProject.replace('{project_id}', id));

  test('has the rows of all projects, each with the project’s name', async () => {
    const [shop, other, all] = [await readOne(world.projectId), await readOne(blog.id), await read(everywhere)];
    expect(Math.min(shop.rows.length, other.rows.length), name).toBeGreaterThan(0);
    const named = [
      ...shop.rows.map((row) => ({ ...Object(row), project: { id: world.projectId, name: 'shop' } })),
      ...other.rows.map((row) => ({ ...Object(row), project: blog })),
    ];
    const sorted = (rows: unknown[]) => rows.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    expect(sorted(all.rows)).toEqual(sorted(named));
    expect(all.total).toBe(all.rows.length);
    expect(JSON.stringify(shop.rows)).not.toContain('"project":');
  });

  test('is cut into pages without a row twice or left out', async () => {
    const all = await read(everywhere);
    const pages = [];
    for (let page = 1; page <= all.rows.length; page += 1) {
      const body = await ask('GET', `${everywhere}?page_size=1&page=${page}`);
      pages.push(at(body, 'items.0'));
      expect(at(body, 'has_more')).toBe(page < all.rows.length);
    }
    expect(pages).toEqual(all.rows);
  });

  test('takes the project as a filter too, and refuses one that is not there', async () => {
    const one = await read(everywhere, `&project_id=${blog.id}`);
    expect(one).toEqual(await readOne(blog.id));
    const unknown = await service.call(world.organisation.readKey, 'GET', `${everywhere}?project_id=prj_none`);
    expect(unknown.body).toMatchObject({ status: 404, resource: 'project' });
  });

  test('has of other projects nothing for a key that is bound to one', async () => {
    const bound = await read(everywhere, '', boundKey);
    const own = await readOne(blog.id);
    expect(bound.rows.map(idOf)).toEqual(own.rows.map(idOf));
    expect(bound.total).toBe(own.total);
    expect(bound.rows.map((row) => at(row, 'project'))).toEqual(own.rows.map(() => blog));
    const other = await service.call(boundKey, 'GET', `${everywhere}?project_id=${world.projectId}`);
    expect(other.body).toMatchObject({ status: 404, resource: 'project' });
  });

  test('has of a group the rows of its projects and of those of the groups in it', async () => {
    const inGroup = async (group: string) => (await read(everywhere, `&group=${encodeURIComponent(group)}`)).rows;
    const all = await read(everywhere);
    const ofShop = all.rows.filter((row) => at(row, 'project.id') === world.projectId);
    expect(ofShop.length).toBeGreaterThan(0);
    for (const group of ['Storefront', 'retail', world.groupId]) expect(await inGroup(group), group).toEqual(ofShop);
    expect(await inGroup('Blogs')).toEqual(all.rows.filter((row) => at(row, 'project.id') === blog.id));
    const hidden = await service.call(boundKey, 'GET', `${everywhere}?group=Retail`);
    expect(hidden.body).toMatchObject({ status: 404, resource: 'group' });
  });

  test('has for a member who has a role in a group alone the rows of its projects', async () => {
    const all = await read(everywhere);
    const ofShop = all.rows.filter((row) => at(row, 'project.id') === world.projectId);
    expect(await read(everywhere, '', viewer)).toEqual({ rows: ofShop, total: ofShop.length });
    expect(await read(everywhere, '&group=Storefront', viewer)).toEqual({ rows: ofShop, total: ofShop.length });
    const other = await service.call(viewer, 'GET', `${everywhere}?project_id=${blog.id}`);
    expect(other.body).toMatchObject({ status: 404, resource: 'project' });
    const hidden = await service.call(viewer, 'GET', `${everywhere}?group=Blogs`);
    expect(hidden.body).toMatchObject({ status: 404, resource: 'group' });
  });

  test('has nothing of a project that was deleted, although its rows are still being removed', async () => {
    const before = await read(everywhere);
    const gone = await newProject(randomUUID());
    expect((await read(everywhere)).total).toBeGreaterThan(Number(before.total));
    await ask('DELETE', `/api/projects/${gone}`);
    expect(await read(everywhere)).toEqual(before);
  });
});

test('a list without rows says of how many projects nothing is known', async () => {
  const organisation = await service.newOrganisation({ plan: 'Business' });
  const paths = ['alerts', 'reachability/verdicts', 'sast/findings', 'dast/findings', 'containers/findings'];
  for (const name of ['one', 'two']) await ask('POST', '/api/projects', { name }, organisation.writeKey);
  for (const path of [...paths, 'containers/images']) {
    const body = await ask('GET', `/api/${path}`, undefined, organisation.readKey);
    expect(at(body, 'coverage.status'), path).toBe('unknown');
    expect([at(body, 'coverage.gaps')].flat().length, path).toBeGreaterThan(0);
  }
});
