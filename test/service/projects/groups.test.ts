import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAllProjects } from '../../../src/service/db/all-projects.js';
import { groupOwner } from '../../../src/service/projects/group-owner.js';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { newProject } from './new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** An organisation of its own whose admin asks. */
async function withGroups(...names: (string | readonly [name: string, parent: string])[]) {
  const organisation = await service.newOrganisation();
  const ask = asker(organisation);
  for (const each of names) {
    const [name, parent] = typeof each === 'string' ? [each] : each;
    await ask.ok('POST', '/api/groups', { name, parent });
  }
  return { organisation, ...ask };
}

function asker({ admin }: TestOrganisation) {
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    service.call(admin.session, method, path, body, headers);
  return {
    call,
    async ok(method: string, path: string, body?: unknown) {
      const answer = await call(method, path, body);
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
      return answer.body;
    },
  };
}

const items = (body: unknown) => [at(body, 'items')].flat();
const namesOf = (body: unknown) => items(body).map((row) => at(row, 'name'));

describe('groups', () => {
  test('are created with a parent and an owner, and listed each before those in it', async () => {
    const { ok, organisation } = await withGroups('Shops', ['Web', 'shops'], 'banking');
    const owner_id = organisation.member.id;
    const made = await ok('POST', '/api/groups', { name: 'Apps', parent: 'Shops', owner_id });
    expect(made).toMatchObject({
      ...{ name: 'Apps', parent: { name: 'Shops' }, owner: { id: owner_id, name: organisation.member.name } },
      ...{ projects: 0, open: { red: 0, yellow: 0, green: 0 }, revision: 1 },
    });
    const list = await service.call(organisation.readKey, 'GET', '/api/groups');
    expect(namesOf(list.body)).toEqual(['banking', 'Shops', 'Apps', 'Web']);
    expect(at(list.body, 'total')).toBe(4);
    const second = await service.call(organisation.readKey, 'GET', '/api/groups?page_size=1&page=2');
    expect(second.body).toMatchObject({ items: [{ name: 'Shops', owner: null, parent: null }], has_more: true });
  });

  test('change by the given fields only; null clears; a revision that is not the last is refused', async () => {
    const { ok, call, organisation } = await withGroups('Shops', ['Web', 'Shops']);
    const changed = await ok('PATCH', '/api/groups/web', { name: 'Sites', owner_id: organisation.admin.id });
    expect(changed).toMatchObject({ name: 'Sites', parent: { name: 'Shops' }, revision: 2 });
    const path = `/api/groups/${textAt(changed, 'id')}`;
    expect(await ok('PATCH', path, { name: 'Sites' })).toEqual(changed);
    const stale = await call('PATCH', path, { clear: ['parent'] }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
    const top = await call('PATCH', path, { clear: ['parent', 'owner_id'] }, { 'if-match': '"2"' });
    expect(top).toMatchObject({ status: 200, body: { parent: null, owner: null, name: 'Sites', revision: 3 } });
    expect((await call('PATCH', path, {})).body).toMatchObject({ errors: [{ reason: 'no_change' }] });
  });

  test('have a name that is unique in the organisation, whatever its case', async () => {
    const { ok, call } = await withGroups('Shops', 'Web');
    const taken = { status: 409, body: { reason: 'name_taken' } };
    expect(await call('POST', '/api/groups', { name: 'SHOPS' })).toMatchObject(taken);
    expect(await call('PATCH', '/api/groups/Web', { name: 'sHops' })).toMatchObject(taken);
    expect(await ok('PATCH', '/api/groups/Web', { name: 'WEB' })).toMatchObject({ name: 'WEB' });
    const { ok: elsewhere } = await withGroups();
    expect(await elsewhere('POST', '/api/groups', { name: 'Shops' })).toMatchObject({ name: 'Shops' });
  });

  test('nest one level deep, whichever of two is moved', async () => {
    const { call } = await withGroups('a', ['b', 'a'], 'c');
    const refused = { status: 422, body: { errors: [{ field: 'parent', reason: 'groups_nest_once' }] } };
    expect(await call('POST', '/api/groups', { name: 'd', parent: 'b' })).toMatchObject(refused);
    expect(await call('PATCH', '/api/groups/c', { parent: 'b' })).toMatchObject(refused);
    expect(await call('PATCH', '/api/groups/a', { parent: 'c' })).toMatchObject(refused);
    expect(await call('PATCH', '/api/groups/c', { parent: 'c' })).toMatchObject(refused);
  });

  test('that are put into each other at once do not nest deeper', async () => {
    const { call, ok } = await withGroups('a', 'b', 'c');
    const into = (name: string, parent: string) => call('PATCH', `/api/groups/${name}`, { parent });
    const answers = await Promise.all([into('a', 'b'), into('b', 'c'), into('c', 'a'), into('b', 'a')]);
    expect(answers.map(({ status }) => status).sort()).not.toContain(500);
    const groups = items(await ok('GET', '/api/groups'));
    const parents = groups.flatMap((row) => at(row, 'parent.name') ?? []);
    const nested = groups.filter((row) => at(row, 'parent') !== null).map((row) => at(row, 'name'));
    expect(parents.filter((name) => nested.includes(name))).toEqual([]);
  });

  test('that are not there are a 404 with those that may have been meant', async () => {
    const { call, organisation } = await withGroups('Payments', 'Shops');
    const likely = { status: 404, body: { resource: 'group', likely: [{ name: 'Payments' }] } };
    expect(await call('PATCH', '/api/groups/paymnts', { name: 'x' })).toMatchObject(likely);
    expect(await service.call(organisation.readKey, 'GET', '/api/alerts?group=Payment')).toMatchObject(likely);
    expect(await call('POST', '/api/groups', { name: 'x', parent: 'none at all' })).toMatchObject({
      ...{ status: 404, body: { resource: 'group' } },
    });
    const stranger = await call('POST', '/api/groups', { name: 'x', owner_id: 'nobody' });
    expect(stranger.body).toMatchObject({ errors: [{ field: 'owner_id', reason: 'unknown_member' }] });
  });

  test('of another organisation are not there, nor are its members and projects', async () => {
    const theirs = await withGroups('Theirs');
    const id = textAt(await theirs.ok('GET', '/api/groups'), 'items.0.id');
    const { call, organisation } = await withGroups('Ours');
    const project = await newProject(service, theirs.organisation);
    const own = await newProject(service, organisation);
    for (const group of [id, 'Theirs']) {
      expect((await call('PATCH', `/api/groups/${group}`, { name: 'x' })).status).toBe(404);
      expect((await call('DELETE', `/api/groups/${group}`)).status).toBe(404);
      expect((await call('GET', `/api/posture/projects?group=${group}`)).status).toBe(404);
      expect((await call('POST', '/api/groups/assign', { group, project_ids: [own] })).status).toBe(404);
    }
    const owned = await call('POST', '/api/groups', { name: 'x', owner_id: theirs.organisation.admin.id });
    expect(owned.status).toBe(422);
    const assigned = await call('POST', '/api/groups/assign', { group: 'Ours', project_ids: [own, project] });
    expect(assigned.body).toEqual({ moved: 1, unchanged: 0, not_found: [project] });
    expect(await theirs.ok('GET', `/api/projects/${project}`)).toMatchObject({ group: null, revision: 1 });
  });

  test('are as many as the plan includes', async () => {
    const organisation = await service.newOrganisation({ plan: 'Free' });
    const { call } = asker(organisation);
    await service.database.system((tx) =>
      tx
        .insertInto('project_groups')
        .values(
          Array.from({ length: 100 }, (_, n) => ({ organisation_id: organisation.id, id: `g${n}`, name: `g${n}` })),
        )
        .execute(),
    );
    const more = await call('POST', '/api/groups', { name: 'one more' });
    expect(more.body).toMatchObject({ status: 409, quota: { of: 'groups', limit: 100 } });
  });

  test.each(['member', 'writeKey'] as const)('are not written by a %s, who reads them', async (who) => {
    const { organisation } = await withGroups('Shops');
    const credential = who === 'member' ? organisation.member.session : organisation.writeKey;
    const project = await newProject(service, organisation);
    const call = (method: string, path: string, body?: unknown) => service.call(credential, method, path, body);
    const refused = await Promise.all([
      call('POST', '/api/groups', { name: 'x' }),
      call('PATCH', '/api/groups/Shops', { name: 'x' }),
      call('DELETE', '/api/groups/Shops'),
      call('POST', '/api/groups/assign', { group: 'Shops', project_ids: [project] }),
      call('PATCH', `/api/projects/${project}`, { group: 'Shops' }),
      call('PATCH', `/api/projects/${project}`, { clear: ['group'] }),
      call('POST', '/api/projects', { name: randomUUID(), group: 'Shops' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await call('GET', '/api/groups')).status).toBe(200);
    expect((await call('GET', '/api/projects?group=Shops')).body).toMatchObject({ total: 0 });
  });
});

describe('a project', () => {
  test('is put into a group when it is created or changed, by the group’s name or id, and taken out', async () => {
    const { ok } = await withGroups('Shops', ['Web', 'Shops']);
    const made = await ok('POST', '/api/projects', { name: 'till', group: 'web' });
    const group = { id: expect.any(String), name: 'Web', parent: { id: expect.any(String), name: 'Shops' } };
    expect(made).toMatchObject({ group, revision: 1 });
    const path = `/api/projects/${textAt(made, 'id')}`;
    expect(await ok('GET', path)).toEqual(made);
    expect(items(await ok('GET', '/api/projects'))).toEqual([made]);
    expect(items(await ok('GET', '/api/projects?sort=worst'))).toMatchObject([Object(made)]);
    expect(at(await ok('GET', '/api/posture/projects'), 'items.0.group')).toEqual(at(made, 'group'));
    const shops = textAt(made, 'group.parent.id');
    expect(await ok('PATCH', path, { group: shops })).toMatchObject({
      group: { id: shops, name: 'Shops' },
      revision: 2,
    });
    expect(await ok('PATCH', path, { group: 'Shops' })).toMatchObject({ revision: 2 });
    expect(await ok('PATCH', path, { clear: ['group'] })).toMatchObject({ group: null, revision: 3 });
    const log = items(await ok('GET', `/api/org/audit-log?project_id=${textAt(made, 'id')}`));
    expect(log.map((row) => [at(row, 'before.group.name'), at(row, 'after.group.name')])).toEqual([
      ['Shops', undefined],
      ['Web', 'Shops'],
      [undefined, 'Web'],
    ]);
    expect(at(log[0], 'after')).toEqual({ group: null });
  });

  test('is moved together with others, each with the move in its audit log', async () => {
    const { ok, organisation } = await withGroups('Shops', 'Banks');
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await newProject(service, organisation));
    const [first = '', , third = ''] = ids;
    const assign = (group: string | null, project_ids: readonly string[]) =>
      ok('POST', '/api/groups/assign', { project_ids, ...(group === null ? { clear: ['group'] } : { group }) });
    expect(await assign('shops', [first, first, third])).toEqual({ moved: 2, unchanged: 0, not_found: [] });
    expect(await assign('Shops', ids)).toEqual({ moved: 1, unchanged: 2, not_found: [] });
    expect(await assign('Banks', [third])).toEqual({ moved: 1, unchanged: 0, not_found: [] });
    expect(at(await ok('GET', '/api/projects?group=Shops'), 'total')).toBe(2);
    expect(await assign(null, [third])).toEqual({ moved: 1, unchanged: 0, not_found: [] });
    const moved = await ok('GET', `/api/projects/${third}`);
    expect(moved).toMatchObject({ group: null, revision: 4 });
    const log = items(await ok('GET', `/api/org/audit-log?project_id=${third}&action=project.update`));
    expect(log.map((row) => [at(row, 'before.group.name'), at(row, 'after.group.name')])).toEqual([
      ['Banks', undefined],
      ['Shops', 'Banks'],
      [undefined, 'Shops'],
    ]);
  });

  test('is asked for in a group that it is in, or it is not found', async () => {
    const { call, ok, organisation } = await withGroups('Shops', ['Web', 'Shops'], 'Banks');
    const project = await newProject(service, organisation);
    await ok('POST', '/api/groups/assign', { group: 'Web', project_ids: [project] });
    for (const path of ['alerts', 'posture/code/summary', 'org/audit-log', 'webhooks', 'uploads']) {
      expect((await call('GET', `/api/${path}?project_id=${project}&group=Shops`)).status, path).toBe(200);
      const elsewhere = await call('GET', `/api/${path}?project_id=${project}&group=Banks`);
      expect(elsewhere.body, path).toMatchObject({ status: 404, resource: 'project' });
    }
  });
});

describe('the owner of a project’s group', () => {
  test('is that of the group, or else of the group that this is in', async () => {
    const { ok, organisation } = await withGroups();
    const { admin, member } = organisation;
    await ok('POST', '/api/groups', { name: 'Shops', owner_id: admin.id });
    await ok('POST', '/api/groups', { name: 'Web', parent: 'Shops', owner_id: member.id });
    const projectId = textAt(await ok('POST', '/api/projects', { name: 'till', group: 'Web' }), 'id');
    const key = { organisationId: organisation.id, projectId };
    const owner = (of = key) => service.database.tenant(organisation.id, (tx) => groupOwner(tx, of));
    expect(await owner()).toEqual({ id: member.id, name: member.name, email: member.email });
    await ok('PATCH', '/api/groups/Web', { clear: ['owner_id'] });
    expect(await owner()).toMatchObject({ id: admin.id });
    await ok('PATCH', '/api/groups/Shops', { clear: ['owner_id'] });
    expect(await owner()).toBeNull();
    expect(await owner({ ...key, projectId: await newProject(service, organisation) })).toBeNull();
    const bound = { organisationId: organisation.id, projectIds: [projectId] };
    await ok('PATCH', '/api/groups/Shops', { owner_id: admin.id });
    const seen = await service.database.tenant(bound, async (tx) => [
      await groupOwner(tx, key),
      await inAllProjects(tx, () => groupOwner(tx, key)),
    ]);
    expect(seen).toMatchObject([null, { id: admin.id }]);
  });
});

describe('removing', () => {
  test('a group moves what is in it up, and takes no project along', async () => {
    const { ok, call, organisation } = await withGroups('Shops', ['Web', 'Shops'], ['Tills', 'Shops']);
    const ids = [await newProject(service, organisation), await newProject(service, organisation)];
    const idOf = async (name: string) =>
      textAt(
        items(await ok('GET', '/api/groups')).find((row) => at(row, 'name') === name),
        'id',
      );
    await ok('POST', '/api/groups/assign', { group: 'Web', project_ids: ids });
    const byName = await call('DELETE', '/api/groups/Web');
    expect(byName.body).toMatchObject({ status: 404, reason: 'ids_only', likely: [{ name: 'Web' }] });
    await ok('DELETE', `/api/groups/${await idOf('Web')}`);
    expect(await ok('GET', `/api/projects/${ids[0]}`)).toMatchObject({ group: { name: 'Shops' }, revision: 3 });
    const shops = await idOf('Shops');
    await ok('DELETE', `/api/groups/${shops}`);
    expect(await ok('GET', `/api/projects/${ids[1]}`)).toMatchObject({ group: null });
    expect(items(await ok('GET', '/api/groups'))).toMatchObject([{ name: 'Tills', parent: null, revision: 2 }]);
    expect((await call('DELETE', `/api/groups/${shops}`)).status).toBe(404);
    const [last] = items(await ok('GET', `/api/org/audit-log?project_id=${ids[1]}`));
    expect(last).toMatchObject({
      action: 'project.update',
      before: { group: { name: 'Shops' } },
      after: { group: null },
    });
    const removal = await ok('GET', '/api/org/audit-log?action=group.delete');
    expect(items(removal).map((row) => at(row, 'before.name'))).toEqual(['Shops', 'Web']);
  });

  test('a member leaves the groups that were his without owner', async () => {
    const { ok, organisation } = await withGroups();
    const owner = await service.newMember(organisation.id, 'member');
    await ok('POST', '/api/groups', { name: 'Shops', owner_id: owner.id });
    await ok('DELETE', `/api/org/members/${owner.id}`);
    expect(items(await ok('GET', '/api/groups'))).toMatchObject([{ name: 'Shops', owner: null }]);
  });

  test('a project takes it out of the counts of its group at once', async () => {
    const { ok, organisation } = await withGroups('Shops');
    const id = await newProject(service, organisation);
    await ok('POST', '/api/groups/assign', { group: 'Shops', project_ids: [id] });
    await ok('DELETE', `/api/projects/${id}`);
    expect(items(await ok('GET', '/api/groups'))).toMatchObject([{ projects: 0 }]);
    await ok('DELETE', `/api/groups/${textAt(await ok('GET', '/api/groups'), 'items.0.id')}`);
  });
});

describe('a key that is bound to projects', () => {
  test('sees the groups that these are in, counts its own projects, and is told of no other group', async () => {
    const { ok, organisation } = await withGroups('Shops', ['Web', 'Shops'], ['Secret', 'Shops'], 'Hidden');
    const [own, other] = [await newProject(service, organisation), await newProject(service, organisation)];
    await ok('POST', '/api/groups/assign', { group: 'Web', project_ids: [own] });
    await ok('POST', '/api/groups/assign', { group: 'Secret', project_ids: [other] });
    const body = { name: 'bound', scope: 'ReadWrite', project_ids: [own] };
    const key = textAt(await ok('POST', '/api/org/api-keys', body), 'key');
    const list = await service.call(key, 'GET', '/api/groups');
    expect(items(list.body).map((row) => [at(row, 'name'), at(row, 'projects')])).toEqual([
      ['Shops', 1],
      ['Web', 1],
    ]);
    expect(at(list.body, 'total')).toBe(2);
    expect((await service.call(key, 'GET', `/api/projects/${own}`)).body).toMatchObject({
      group: { name: 'Web', parent: { name: 'Shops' } },
    });
    for (const hidden of ['Secret', 'Hidden']) {
      const answer = await service.call(key, 'GET', `/api/projects?group=${hidden}`);
      expect(answer.status).toBe(404);
      expect(JSON.stringify(at(answer.body, 'likely') ?? [])).not.toContain(hidden);
    }
    const projects = await service.call(key, 'GET', '/api/projects?group=Shops');
    expect(items(projects.body).map((row) => at(row, 'id'))).toEqual([own]);
    // Those whose projects all went elsewhere are not there any more.
    await ok('POST', '/api/groups/assign', { group: 'Hidden', project_ids: [own] });
    expect(namesOf((await service.call(key, 'GET', '/api/groups')).body)).toEqual(['Hidden']);
  });
});
