import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;

beforeAll(async () => {
  const operatorRoutes = Router();
  operatorRoutes.get('/feeds', (_req, res) => {
    res.json({ feeds: [] });
  });
  service = await startService({ operatorRoutes });
});
afterAll(() => service.close());

const operate = (method: string, path: string, body?: unknown) =>
  service.call(service.operatorKey, method, `/api/operator${path}`, body);

function create(change: Record<string, unknown> = {}) {
  const admin = { email: `${randomUUID()}@example.com`, name: 'Grace' };
  return operate('POST', '/organisations', { name: 'Orchard', plan: 'Business', admin, ...change });
}

describe('the operator’s routes', () => {
  test('are closed to everyone else, also where there is no route', async () => {
    const { admin, writeKey } = await service.newOrganisation();
    const wrong = `${service.operatorKey.slice(0, -1)}${service.operatorKey.endsWith('0') ? '1' : '0'}`;
    for (const credential of [null, admin.session, writeKey, wrong, `${service.operatorKey}0`]) {
      for (const path of ['/organisations', '/feeds', '/nothing']) {
        const answer = await service.call(credential, 'GET', `/api/operator${path}`);
        expect(answer.body).toMatchObject({ status: 401, code: 'unauthenticated' });
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    }
  });

  test('answer 429 to an address that has sent many wrong keys, and never to the right one', async () => {
    const throttled = await startService();
    onTestFinished(throttled.close);
    const ask = (key: string) => throttled.call(key, 'GET', '/api/operator/organisations');
    for (let tries = 0; tries < 20; tries += 1) expect((await ask(`wrong-${randomUUID()}`)).status).toBe(401);
    const refused = await ask(`wrong-${randomUUID()}`);
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await ask(throttled.operatorKey)).status).toBe(200);
    // Nor is it forgotten that the others were wrong.
    expect((await ask(`wrong-${randomUUID()}`)).status).toBe(429);
  });

  test('take in those of others, behind the same key', async () => {
    expect((await operate('GET', '/feeds')).body).toEqual({ feeds: [] });
    expect((await operate('GET', '/nothing')).body).toMatchObject({ status: 404, resource: 'route' });
    expect((await operate('DELETE', '/organisations')).body).toMatchObject({ status: 405 });
  });
});

describe('an organisation', () => {
  test('is made with its admin, who signs in with the password that was answered once', async () => {
    const { status, body } = await create({ contact_email: 'Security@Example.com' });
    expect(status).toBe(200);
    expect(at(body, 'organisation')).toMatchObject({
      name: 'Orchard',
      plan: 'Business',
      contact_email: 'security@example.com',
      revision: 1,
    });
    const [email, password] = [textAt(body, 'admin.email'), textAt(body, 'admin.password')];
    const session = await service.call(null, 'POST', '/api/session', { email, password });
    const who = await service.call(textAt(session.body, 'token'), 'GET', '/api/session');
    expect(at(who.body, 'caller.member')).toMatchObject({ email, name: 'Grace', role: 'admin' });
    const log = await service.call(
      textAt(session.body, 'token'),
      'GET',
      '/api/org/audit-log?action=organisation.create',
    );
    expect(at(log.body, 'items.0')).toMatchObject({
      actor: { kind: 'operator', id: 'operator', name: 'operator' },
      target: { kind: 'organisation', id: textAt(body, 'organisation.id') },
      before: null,
      after: { name: 'Orchard', plan: 'Business', contact_email: 'security@example.com', admin_email: email },
      ...{ ip: '127.0.0.1', device: 'node', session_id: null, issuer: null },
    });
    expect(JSON.stringify(log.body)).not.toContain(password);
    expect(service.log()).not.toContain(password);
  });

  test('is made with a password of the operator’s choice, which is not answered', async () => {
    const email = `${randomUUID()}@example.com`;
    const password = 'chosen by the operator';
    const { body } = await create({ admin: { email: email.toUpperCase(), name: 'Grace', password } });
    expect(at(body, 'admin')).toEqual({ email });
    expect((await service.call(null, 'POST', '/api/session', { email, password })).status).toBe(200);
  });

  test('is made for an address that is a member’s elsewhere, and proves it to nobody', async () => {
    const { member } = await service.newOrganisation();
    const answer = await create({ admin: { email: member.email, name: 'Grace' } });
    expect(answer.status).toBe(200);
    const made = await service.database.system((tx) =>
      tx.selectFrom('members').select(['organisation_id', 'proven_by']).where('email', '=', member.email).execute(),
    );
    expect(made.map(({ proven_by }) => proven_by)).toEqual([null, null]);
    expect(made.map(({ organisation_id }) => organisation_id)).toContain(textAt(answer.body, 'organisation.id'));
  });

  test.each([
    [{ plan: 'Gold' }, 'plan'],
    [{ name: '' }, 'name'],
    [{ admin: { email: 'nobody', name: 'x' } }, 'admin.email'],
    [{ admin: { email: 'a@example.com', name: 'x', password: 'short' } }, 'admin.password'],
    [{ admni: {} }, 'admni'],
  ])('is not made from %j', async (change, field) => {
    const answer = await create(change);
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors.0.field')).toBe(field);
  });

  test('changes its plan at once, and its audit log shows it', async () => {
    const { id, readKey } = await service.newOrganisation({ plan: 'Free' });
    const changed = await operate('PATCH', `/organisations/${id}`, { plan: 'Enterprise' });
    expect(changed.body).toMatchObject({ id, plan: 'Enterprise', revision: 2 });
    await operate('PATCH', `/organisations/${id}`, { plan: 'Enterprise' });
    expect(at((await service.call(readKey, 'GET', '/api/session')).body, 'organisation.plan')).toBe('Enterprise');
    const log = await service.call(readKey, 'GET', '/api/org/audit-log');
    expect(log.body).toMatchObject({
      total: 1,
      items: [{ action: 'organisation.change_plan', before: { plan: 'Free' }, after: { plan: 'Enterprise' } }],
    });
  });

  test('that does not exist gets 404', async () => {
    expect((await operate('PATCH', '/organisations/org_unknown', { plan: 'Free' })).body).toMatchObject({
      status: 404,
      resource: 'organisation',
    });
    expect((await operate('PATCH', '/organisations/a%00b', { plan: 'Free' })).status).toBe(422);
  });

  test('is in the operator’s list', async () => {
    await create();
    const first = await operate('GET', '/organisations?page_size=1');
    expect(first.body).toMatchObject({
      page: 1,
      page_size: 1,
      items: [{ id: expect.any(String), plan: expect.any(String) }],
    });
    expect((await operate('GET', '/organisations?page=x')).body).toMatchObject({
      status: 422,
      errors: [{ field: 'page' }],
    });
  });
});

describe('a token for a new password', () => {
  const reset = (body: Record<string, unknown>) => operate('POST', '/password-resets', body);

  test('needs the organisation where the address has accounts in several, and is of that one', async () => {
    const [{ member }, second] = [await service.newOrganisation(), await service.newOrganisation()];
    await service.database.system((tx) =>
      tx.updateTable('members').set({ email: member.email }).where('id', '=', second.member.id).execute(),
    );
    expect((await reset({ email: member.email })).body).toMatchObject({
      status: 422,
      errors: [{ field: 'organisation_id', reason: 'several_accounts' }],
    });
    const { body } = await reset({ email: member.email, organisation_id: second.id });
    const password = 'chosen for the second account';
    const used = { token: textAt(body, 'token'), password };
    expect((await service.call(null, 'POST', '/api/session/password-reset', used)).status).toBe(200);
    const signIn = (given: string) =>
      service.call(null, 'POST', '/api/session', { email: member.email, password: given });
    const organisationOf = async (session: unknown) =>
      at((await service.call(textAt(session, 'token'), 'GET', '/api/session')).body, 'organisation.id');
    expect(await organisationOf((await signIn(password)).body)).toBe(second.id);
    expect(await organisationOf((await signIn(member.password)).body)).not.toBe(second.id);
  });

  test('is not for an address that is nobody’s in that organisation', async () => {
    const [{ member }, second] = [await service.newOrganisation(), await service.newOrganisation()];
    const answer = await reset({ email: member.email, organisation_id: second.id });
    expect(answer.body).toMatchObject({ status: 404, resource: 'member' });
  });
});

describe('the operator’s word', () => {
  const domainsOf = async (session: string) =>
    at((await service.call(session, 'GET', '/api/org/domains')).body, 'items');
  const newestOf = async (session: string) =>
    at((await service.call(session, 'GET', '/api/org/audit-log')).body, 'items.0');

  test('makes a domain an organisation’s, whether it was named or not', async () => {
    const { id, admin } = await service.newOrganisation();
    const domain = `d-${randomUUID()}.example.com`;
    const proven = await operate('POST', '/domains', { organisation_id: id, domain: domain.toUpperCase() });
    expect(proven.body).toEqual({ organisation_id: id, domain, taken_from: null });
    expect(await domainsOf(admin.session)).toMatchObject([{ domain, proven_by: 'operator' }]);
    expect(await newestOf(admin.session)).toMatchObject({
      ...{ actor: { kind: 'operator' }, action: 'domain.prove', target: { kind: 'domain', id: domain } },
      after: { by: 'operator' },
    });
    const again = await operate('POST', '/domains', { organisation_id: id, domain });
    expect(again.body).toEqual({ organisation_id: id, domain, taken_from: null });
  });

  test('takes a domain from the organisation that had it, which reads so in its log', async () => {
    const [first, second] = [await service.newOrganisation(), await service.newOrganisation()];
    const domain = `d-${randomUUID()}.example.com`;
    await operate('POST', '/domains', { organisation_id: first.id, domain });
    const taken = await operate('POST', '/domains', { organisation_id: second.id, domain });
    expect(taken.body).toEqual({ organisation_id: second.id, domain, taken_from: first.id });
    expect(await domainsOf(first.admin.session)).toMatchObject([{ domain, proven_by: null }]);
    expect(await domainsOf(second.admin.session)).toMatchObject([{ domain, proven_by: 'operator' }]);
    const lost = await newestOf(first.admin.session);
    expect(lost).toMatchObject({ actor: { kind: 'operator' }, action: 'domain.lose', target: { id: domain } });
    expect(JSON.stringify(lost)).not.toContain(second.id);
  });

  test('proves the address of one account, and of no other', async () => {
    const [{ id, admin, member }, other] = [await service.newOrganisation(), await service.newOrganisation()];
    await service.database.system((tx) =>
      tx.updateTable('members').set({ email: member.email }).where('id', '=', other.member.id).execute(),
    );
    const proven = await operate('POST', '/addresses', { organisation_id: id, email: member.email.toUpperCase() });
    expect(proven.body).toEqual({ organisation_id: id, email: member.email, member_id: member.id });
    const proofsOf = async (session: string) => {
      const { body } = await service.call(session, 'GET', '/api/org/members');
      return JSON.stringify(body)
        .match(/"proven_by":(?:null|"\w+")/g)
        ?.sort();
    };
    expect(await proofsOf(admin.session)).toEqual(['"proven_by":"operator"', '"proven_by":null']);
    expect(await proofsOf(other.admin.session)).toEqual(['"proven_by":null', '"proven_by":null']);
    expect(await newestOf(admin.session)).toMatchObject({
      ...{ actor: { kind: 'operator' }, action: 'member.prove', target: { kind: 'member', id: member.id } },
    });
  });

  test('names what is there, in the form that it has', async () => {
    const { id } = await service.newOrganisation();
    const refused = async (path: string, body: Record<string, unknown>) => (await operate('POST', path, body)).body;
    const [domain, email] = [`d-${randomUUID()}.example.com`, `${randomUUID()}@example.com`];
    expect(await refused('/domains', { organisation_id: 'org_unknown', domain })).toMatchObject({
      ...{ status: 404, resource: 'organisation' },
    });
    expect(await refused('/addresses', { organisation_id: id, email })).toMatchObject({
      status: 404,
      resource: 'member',
    });
    for (const wrong of ['example', 'a b.example', 'https://example.com', '-a.example.com', 'ada@example.com'])
      expect(await refused('/domains', { organisation_id: id, domain: wrong })).toMatchObject({
        ...{ status: 422, errors: [{ field: 'domain', message: 'is a domain such as example.com' }] },
      });
  });
});
