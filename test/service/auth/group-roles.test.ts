import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.js';
import { takePeople } from '../../support/known-people.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

const audiences = { mcp: 'https://posture.example.com/mcp', api: 'https://posture.example.com/api' };

let server: AuthorizationServer;
let service: TestService;
let organisation: TestOrganisation;
/** Without a role in the organisation. */
let member: TestOrganisation['member'];
let group: string;
let project: string;

beforeAll(async () => {
  server = await startAuthorizationServer();
  service = await startService({ issuer: { url: server.issuer, audiences } });
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
  member = await service.newMember(organisation.id, 'none');
  group = await newGroup();
  project = await newProject(group);
});
afterAll(async () => {
  await service.close();
  await server.close();
});

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await service.call(organisation.admin.session, method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

async function newGroup(fields: Record<string, unknown> = {}): Promise<string> {
  return textAt(await ask('POST', '/api/groups', { name: randomUUID(), ...fields }), 'id');
}

async function newProject(into?: string): Promise<string> {
  return textAt(await ask('POST', '/api/projects', { name: randomUUID(), group: into }), 'id');
}

const grant = (role: string, id = group) =>
  ask('PATCH', `/api/org/members/${member.id}`, { groups: [{ group: id, role }] });
const move = (into: string | null, id = project) =>
  ask('PATCH', `/api/projects/${id}`, into === null ? { clear: ['group'] } : { group: into });

/** The ids of the projects that the member sees. */
async function seen(credential = member.session): Promise<unknown[]> {
  const { body } = await service.call(credential, 'GET', '/api/projects');
  const ids = [at(body, 'items')].flat().map((item) => at(item, 'id'));
  expect(at(body, 'total')).toBe(ids.length);
  return ids;
}

describe('a role in a group counts from the next request', () => {
  test('after it was given, changed and taken', async () => {
    const rename = () => service.call(member.session, 'PATCH', `/api/projects/${project}`, { exposure: 'internal' });
    expect(await seen()).toEqual([]);
    await grant('viewer');
    expect(await seen()).toEqual([project]);
    expect((await rename()).status).toBe(403);
    await grant('member');
    expect((await rename()).status).toBe(200);
    await ask('PATCH', `/api/org/members/${member.id}`, { groups: [] });
    expect(await seen()).toEqual([]);
    expect((await rename()).status).toBe(403);
  });

  test('for a project that comes, moves and goes', async () => {
    await grant('viewer');
    const other = await newProject(await newGroup());
    expect(await seen()).toEqual([project]);
    await move(group, other);
    await move(null);
    expect(await seen()).toEqual([other]);
    const created = await newProject(group);
    expect((await seen()).toSorted()).toEqual([other, created].toSorted());
    await ask('DELETE', `/api/projects/${other}`);
    expect(await seen()).toEqual([created]);
  });

  test('for a group that is put into the group, and taken out', async () => {
    await grant('viewer');
    const inner = await newGroup({ parent: group });
    const nested = await newProject(inner);
    expect((await seen()).toSorted()).toEqual([project, nested].toSorted());
    await ask('PATCH', `/api/groups/${inner}`, { clear: ['parent'] });
    expect(await seen()).toEqual([project]);
    await ask('PATCH', `/api/groups/${inner}`, { parent: group });
    expect((await seen()).toSorted()).toEqual([project, nested].toSorted());
  });

  test('and no more when the group is deleted, but by the group that it was in', async () => {
    const outer = await newGroup();
    await ask('PATCH', `/api/groups/${group}`, { parent: outer });
    await grant('viewer');
    await ask('DELETE', `/api/groups/${group}`);
    expect(await seen()).toEqual([]);
    await grant('viewer', outer);
    expect(await seen()).toEqual([project]);
  });

  test('of several the one that may most', async () => {
    const outer = await newGroup();
    await ask('PATCH', `/api/groups/${group}`, { parent: outer });
    const groups = [
      { group: outer, role: 'member' },
      { group, role: 'viewer' },
    ];
    await ask('PATCH', `/api/org/members/${member.id}`, { groups });
    const rename = await service.call(member.session, 'PATCH', `/api/projects/${project}`, { exposure: 'internal' });
    expect(rename.status).toBe(200);
    expect(await seen()).toEqual([project]);
  });
});

test('a member with a role in a group sees the names of that group and of those around it, and of no other', async () => {
  const outer = await newGroup();
  await ask('PATCH', `/api/groups/${group}`, { parent: outer });
  await Promise.all([newGroup(), newGroup({ parent: outer })]);
  await grant('viewer');
  const { body } = await service.call(member.session, 'GET', '/api/groups');
  expect([at(body, 'items')].flat().map((item) => at(item, 'id'))).toEqual([outer, group]);
  expect(JSON.stringify(body)).not.toContain(organisation.admin.email);
});

test('a role in a group may be enough for a procedure that is asked about without a project', async () => {
  await grant('member');
  const asked = (procedure: string) => service.call(member.session, 'GET', `/api/session?procedure=${procedure}`);
  expect((await asked('techStack.sync')).status).toBe(200);
  expect((await asked('projects.delete')).body).toMatchObject({ status: 403, code: 'forbidden' });
});

test('a member of no role in the organisation looks after the own account', async () => {
  const { session, password } = member;
  const who = await service.call(session, 'GET', '/api/session');
  expect(at(who.body, 'caller.member')).toMatchObject({ id: member.id, role: 'none', groups: [] });
  expect((await service.call(session, 'GET', '/api/sessions')).body).toMatchObject({ total: 1 });
  const changed = { current_password: password, new_password: 'another long password' };
  expect((await service.call(session, 'PUT', '/api/session/password', changed)).body).toMatchObject({ changed: true });
  expect((await service.call(session, 'POST', '/api/session/renewal', {})).status).toBe(200);
  expect((await service.call(session, 'DELETE', '/api/session')).body).toEqual({
    ended: true,
    logout_url: null,
  });
});

test('who was deactivated has the roles in groups again when reactivated, and who was removed has none', async () => {
  await grant('viewer');
  await ask('PATCH', `/api/org/members/${member.id}`, { deactivated: true });
  await ask('PATCH', `/api/org/members/${member.id}`, { deactivated: false });
  const { email, password } = member;
  const again = await service.call(null, 'POST', '/api/session', { email, password });
  expect(await seen(textAt(again.body, 'token'))).toEqual([project]);
  await ask('DELETE', `/api/org/members/${member.id}`);
  const left = await service.database.system((tx) =>
    tx.selectFrom('group_members').select('role').where('member_id', '=', member.id).execute(),
  );
  expect(left).toEqual([]);
});

describe('a token of the issuer', () => {
  beforeEach(() => takePeople(service, organisation, server));

  async function tokenOf({ id, email }: TestOrganisation['member'], scope?: string): Promise<string> {
    const subject = randomUUID();
    const identity = { organisation_id: organisation.id, id: subject, member_id: id, issuer: server.issuer, subject };
    await service.database.system((tx) => tx.insertInto('identities').values(identity).execute());
    const seconds = Math.floor(Date.now() / 1000);
    const times = { iat: seconds, exp: seconds + 300, jti: randomUUID() };
    const claims = { iss: server.issuer, aud: audiences.api, sub: subject, email, email_verified: true, ...times };
    return server.sign({ ...claims, ...(scope !== undefined && { scope }) });
  }

  test.each([undefined, 'openid', 'postern:read'])('with the scope %s reads, and changes nothing', async (scope) => {
    const token = await tokenOf(organisation.member, scope);
    const who = await service.call(token, 'GET', '/api/session');
    expect(at(who.body, 'caller')).toMatchObject({ access: 'read', member: { role: 'member' } });
    const answer = await service.call(token, 'POST', '/api/projects', { name: 'new' });
    expect(answer.body).toMatchObject({ status: 403, code: 'forbidden', reason: 'insufficient_scope' });
    expect((await service.call(token, 'DELETE', `/api/projects/${project}`)).body).toMatchObject({
      reason: 'insufficient_scope',
    });
  });

  test('with the scope to write changes what a member may', async () => {
    const token = await tokenOf(organisation.admin, 'postern:read postern:write');
    expect((await service.call(token, 'POST', '/api/projects', { name: 'new' })).status).toBe(200);
    expect((await service.call(token, 'DELETE', `/api/projects/${project}`)).status).toBe(403);
  });

  test('has in a group no more than a member’s role', async () => {
    await grant('admin');
    const token = await tokenOf(member, 'postern:write');
    const who = await service.call(token, 'GET', '/api/session');
    expect(at(who.body, 'caller.member.groups.0.role')).toBe('member');
    const changed = await service.call(token, 'PATCH', `/api/projects/${project}`, { exposure: 'internal' });
    expect(changed.status).toBe(200);
    expect((await service.call(token, 'DELETE', `/api/projects/${project}`)).status).toBe(403);
    expect((await service.call(member.session, 'DELETE', `/api/projects/${project}`)).status).toBe(200);
  });

  test('is nothing from the moment when its member is deactivated', async () => {
    const token = await tokenOf(organisation.member, 'postern:write');
    expect((await service.call(token, 'GET', '/api/projects')).status).toBe(200);
    await ask('PATCH', `/api/org/members/${organisation.member.id}`, { deactivated: true });
    expect((await service.call(token, 'GET', '/api/projects')).status).toBe(401);
  });
});
