import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { noRequest, recordAudit } from '../../../src/service/audit/record-audit.js';
import { newSortableId } from '../../../src/service/db/ids.js';
import { at, textAt } from '../../support/at.js';
import { startAuthorizationServer } from '../../support/authorization-server.js';
import { takePeople } from '../../support/known-people.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let service: TestService;
let organisation: TestOrganisation;

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
});
afterAll(() => service.close());

const read = async (query = '') => (await service.call(organisation.readKey, 'GET', `/api/org/audit-log${query}`)).body;

async function actions(query = ''): Promise<unknown[]> {
  const items = at(await read(query), 'items');
  return Array.isArray(items) ? items.map((item: unknown) => at(item, 'action')) : [];
}

/** Somebody of an issuer is the member. */
async function link(member_id: string, issuer: string, subject: string): Promise<void> {
  const policy = { default_role: 'viewer', joins: false, group_roles: '[]' } as const;
  const of = { organisation_id: organisation.id, issuer };
  await service.database.system(async (tx) => {
    await tx
      .insertInto('issuers')
      .values({ ...of, ...policy, id: 'iss_1' })
      .execute();
    await tx
      .insertInto('identities')
      .values({ ...of, member_id, subject, id: 'idn_1' })
      .execute();
  });
}

describe('the audit log', () => {
  test('shows newest first, also within one transaction', async () => {
    const origin = {
      organisationId: organisation.id,
      actor: { kind: 'system', id: 'system', name: 'system' },
      ...noRequest,
    } as const;
    await service.database.tenant(organisation.id, async (tx) => {
      for (let index = 0; index < 20; index += 1) {
        await recordAudit(tx, origin, { action: 'project.update', target: { kind: 'test', id: `step ${index}` } });
      }
    });
    const steps = [at(await read(), 'items')].flat().map((item) => at(item, 'target.id'));
    expect(steps).toEqual(Array.from({ length: 20 }, (_, index) => `step ${19 - index}`));
  });

  test('is filtered by actor, action and time', async () => {
    await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'by key' });
    await service.call(organisation.member.session, 'POST', '/api/projects', { name: 'by member' });
    const [byMember, byKey] = [await read('?page_size=1'), await read('?page_size=1&page=2')];
    expect(at(byKey, 'items.0.actor')).toEqual({ kind: 'api_key', id: organisation.writeKeyId, name: 'ReadWrite key' });
    const memberAt = textAt(byMember, 'items.0.at');
    expect(at(await read(`?actor=${organisation.writeKeyId}`), 'total')).toBe(1);
    expect(at(await read('?action=project.create'), 'total')).toBe(2);
    expect(at(await read(`?until=${new Date(Date.parse(memberAt) - 60_000).toISOString()}`), 'total')).toBe(0);
    expect(at(await read(`?since=${new Date(Date.parse(memberAt) - 60_000).toISOString()}`), 'total')).toBe(2);
    expect(at(await read(`?since=${new Date(Date.parse(memberAt) + 60_000).toISOString()}`), 'total')).toBe(0);
    expect(at(await read('?since=yesterday'), 'errors.0.field')).toBe('since');
  });

  test('is filtered by one action or by all that begin with a word; an unknown one is refused with what comes near', async () => {
    await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'a' });
    const totalOf = async (action: string) => at(await read(`?action=${action}`), 'total');
    expect(await totalOf('project')).toBe(1);
    expect(await totalOf('project.delete')).toBe(0);
    // What keys have read is logged by the names of procedures, where that is kept.
    expect(await totalOf('alerts.list')).toBe(0);
    const knownOf = async (action: string) => {
      const { status, body } = await service.call(organisation.readKey, 'GET', `/api/org/audit-log?action=${action}`);
      expect({ status, error: at(body, 'errors.0') }).toEqual({
        status: 422,
        error: {
          ...{ field: 'action', reason: 'unknown_action', known: expect.any(Array) },
          message: expect.stringContaining('is no action of the audit log'),
        },
      });
      return at(body, 'errors.0.known');
    };
    for (const guess of ['override', 'reachability.override']) {
      expect(await knownOf(guess), guess).toEqual(
        expect.arrayContaining(['verdict.override', 'verdict.clear_override', 'verdict.override_expired']),
      );
    }
    expect(await knownOf('project.creat')).toEqual(expect.arrayContaining(['project.create']));
    expect(await knownOf('alerts.acknowledge')).toEqual(expect.arrayContaining(['alert.acknowledge']));
    for (const guess of ['', 'x', 'proj', 'project.', 'alerts', 'alerts.listt', 'constructor'])
      expect(await knownOf(guess), guess).not.toEqual([]);
  });

  test('names the session and the issuer of a member, and nothing of both for a key', async () => {
    const { admin, writeKey } = organisation;
    await service.call(writeKey, 'POST', '/api/projects', { name: 'by key' });
    const signedIn = await service.call(null, 'POST', '/api/session', { email: admin.email, password: admin.password });
    const session = textAt(signedIn.body, 'token');
    await service.call(session, 'POST', '/api/projects', { name: 'by password' });
    const own = await service.call(session, 'GET', '/api/sessions');
    const sessionId = [at(own.body, 'items')].flat().find((each) => at(each, 'current') === true);
    const session_id = textAt(sessionId, 'id');
    await link(admin.id, 'https://login.example.com', randomUUID());
    await service.database.system(async (tx) => {
      await tx.updateTable('sessions').set({ identity_id: 'idn_1' }).where('id', '=', session_id).execute();
    });
    await service.call(session, 'POST', '/api/projects', { name: 'by issuer' });
    expect(await read()).toMatchObject({
      items: [
        { action: 'project.create', session_id, issuer: 'https://login.example.com', device: 'node' },
        { action: 'project.create', session_id, issuer: null, device: 'node' },
        { action: 'session.create', session_id, issuer: null, device: 'node', target: { id: session_id } },
        { action: 'project.create', session_id: null, issuer: null, device: 'node' },
      ],
    });
  });

  test('names the issuer of a token, which has no session', async () => {
    const server = await startAuthorizationServer();
    const audiences = { mcp: 'https://posture.example.com/mcp', api: 'https://posture.example.com/api' };
    const taking = await startService({ jwtKey: service.jwtKey, issuer: { url: server.issuer, audiences } });
    onTestFinished(async () => {
      await taking.close();
      await server.close();
    });
    const { issuer } = server;
    await takePeople(taking, organisation, server);
    const who = { iss: issuer, sub: randomUUID(), email: organisation.member.email, email_verified: true };
    const exp = Math.floor(Date.now() / 1000) + 300;
    const token = await server.sign({ ...who, aud: audiences.api, exp, scope: 'postern:write' });
    const made = await taking.call(token, 'POST', '/api/projects', { name: 'by token' }, { 'user-agent': 'agent/1' });
    expect(made.status).toBe(200);
    expect(await read()).toMatchObject({
      items: [
        { action: 'project.create', actor: { kind: 'member', id: organisation.member.id }, issuer, session_id: null },
        { action: 'identity.link', actor: { kind: 'member', id: organisation.member.id }, issuer, session_id: null },
        { action: 'issuer.add' },
      ],
    });
  });

  test('is filtered by what was done to, by id, CVE or package', async () => {
    const { member, admin } = organisation;
    const origin = {
      organisationId: organisation.id,
      actor: { kind: 'member', id: member.id, name: member.name, sessionId: null, issuer: null },
      ...noRequest,
    } as const;
    const about = { vulnerability_id: 'CVE-2021-44228', ecosystem: 'npm', package_name: 'lodash' } as const;
    await service.database.tenant(organisation.id, async (tx) => {
      await recordAudit(tx, origin, { action: 'alert.acknowledge', target: { kind: 'alert', id: 'alr_1' }, about });
      await recordAudit(tx, origin, { action: 'alert.acknowledge', target: { kind: 'alert', id: 'alr_2' } });
    });
    const idsOf = async (target: string) => {
      const body = await read(`?target=${encodeURIComponent(target)}`);
      return [at(body, 'items')].flat().map((entry) => at(entry, 'target.id'));
    };
    expect(await idsOf('alr_2')).toEqual(['alr_2']);
    for (const target of ['alr_1', ' cve-2021-44228', 'pkg:npm/lodash'])
      expect(await idsOf(target), target).toEqual(['alr_1']);
    expect(await idsOf('alr_3')).toEqual([]);
    expect(at(await read('?target=alr_1&action=project.create'), 'total')).toBe(0);
    expect(at(await read('?target='), 'errors.0')).toMatchObject({ field: 'target', message: 'must not be blank' });
    expect(admin.id).not.toBe(member.id);
  });

  test('an actor goes by id, name or e-mail in any case; an unknown one is refused', async () => {
    const { member, writeKey, writeKeyId } = organisation;
    await service.call(writeKey, 'POST', '/api/projects', { name: 'by key' });
    await service.call(member.session, 'POST', '/api/projects', { name: 'by member' });
    const namesOf = async (actor: string) => {
      const body = await read(`?action=project.create&actor=${encodeURIComponent(actor)}`);
      const items = at(body, 'items');
      return Array.isArray(items) ? items.map((item: unknown) => at(item, 'after.name')) : body;
    };
    for (const actor of [member.id, member.name.toUpperCase(), ` ${member.email.toUpperCase()} `]) {
      expect(await namesOf(actor), actor).toEqual(['by member']);
    }
    for (const actor of [writeKeyId, 'readwrite KEY']) expect(await namesOf(actor)).toEqual(['by key']);
    // Known, and has done nothing here.
    expect(await namesOf(organisation.admin.email)).toEqual([]);
    await service.call(organisation.admin.session, 'DELETE', `/api/org/members/${member.id}`);
    expect(await namesOf(member.name), 'one who is gone').toEqual(['by member']);
    const { status, body } = await service.call(organisation.readKey, 'GET', '/api/org/audit-log?actor=nobody');
    expect({ status, error: at(body, 'errors.0') }).toEqual({
      status: 422,
      error: { field: 'actor', reason: 'unknown_actor', message: expect.stringContaining('is no id, name or e-mail') },
    });
    expect(at(await read('?actor='), 'errors.0')).toMatchObject({ field: 'actor', message: 'must not be blank' });
  });

  test('a time may be a date, which is its midnight UTC', async () => {
    await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'today' });
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    expect(at(await read(`?since=${day(-1)}&until=${day(1)}`), 'total')).toBe(1);
    expect(at(await read(`?since=${day(1)}`), 'total')).toBe(0);
    expect(at(await read(`?until=${day(-1)}`), 'total')).toBe(0);
    for (const bad of ['2026-13-01', '2026-11-22T10:00:00', 'yesterday']) {
      expect(at(await read(`?since=${bad}`), 'errors.0')).toEqual({
        field: 'since',
        message: 'is a date-time such as 2026-11-22T10:00:00Z, or a date such as 2026-11-22 (midnight UTC)',
      });
    }
  });

  test('an entry names its project, and the log can be read for one, also after it is gone', async () => {
    const created = await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'Shop' });
    await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'Other' });
    const id = textAt(created.body, 'id');
    const webhook = { kind: 'generic', name: 'ours', url: 'https://example.com/' };
    await service.call(organisation.writeKey, 'POST', `/api/projects/${id}/webhooks`, webhook);
    await service.call(organisation.writeKey, 'DELETE', `/api/projects/${id}`);
    const own = await read(`?project_id=${id}`);
    expect(own).toMatchObject({
      total: 3,
      items: [{ action: 'project.delete' }, { action: 'webhook.add' }, { action: 'project.create' }],
    });
    for (const place of [0, 1, 2]) expect(at(own, `items.${place}.project`)).toEqual({ id, name: 'Shop' });
    const { status, body } = await service.call(organisation.readKey, 'GET', '/api/org/audit-log?project_id=prj_none');
    expect({ status, resource: at(body, 'resource') }).toEqual({ status: 404, resource: 'project' });
    await service.call(organisation.admin.session, 'PATCH', '/api/org', { name: 'Renamed' });
    expect(at(await read(), 'items.0.project')).toBeNull();
  });

  test('cannot be rewritten by anybody', async () => {
    await service.call(organisation.writeKey, 'POST', '/api/projects', { name: 'kept' });
    const attempts = [
      () =>
        service.database.tenant(organisation.id, (tx) => tx.updateTable('audit_log').set({ action: 'x' }).execute()),
      () => service.database.tenant(organisation.id, (tx) => tx.deleteFrom('audit_log').execute()),
      () =>
        service.database.system((tx) =>
          sql`update audit_log set action = 'x' where organisation_id = ${organisation.id}`.execute(tx),
        ),
      () =>
        service.database.system((tx) =>
          tx.deleteFrom('audit_log').where('organisation_id', '=', organisation.id).execute(),
        ),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/permission denied|append-only/);
    expect(await actions()).toEqual(['project.create']);
  });

  test('keeps of an update only what differs, and of nested values too', async () => {
    const origin = {
      organisationId: organisation.id,
      actor: { kind: 'system', id: 's', name: 's' },
      ...noRequest,
    } as const;
    const target = { kind: 'test', id: 'x' };
    await service.database.tenant(organisation.id, (tx) =>
      recordAudit(tx, origin, {
        action: 'project.update',
        target,
        before: { a: 1, b: [1, 2], c: 'x' },
        after: { a: 1, b: [1, 3], d: 'y' },
      }),
    );
    expect(at(await read(), 'items.0')).toMatchObject({ before: { b: [1, 2], c: 'x' }, after: { b: [1, 3], d: 'y' } });
  });
});

describe('ids that sort', () => {
  test('are in the order they were made, and fit the wire', () => {
    const ids = Array.from({ length: 1000 }, () => newSortableId('aud'));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(1000);
    expect(ids[0]).toMatch(/^aud_[0-9a-f]{32}$/);
  });
});
