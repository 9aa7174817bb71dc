import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { auditOf, bind } from '../openid/signing-in.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const policy = '/api/org/password-policy';
const refused = (reason: string) => ({ status: 409, body: { reason } });

async function organisationWithIssuer(): Promise<TestOrganisation> {
  const organisation = await service.newOrganisation();
  await bind(service, organisation, 'https://login.example.com', { client_id: 'c', client_secret: 's' });
  return organisation;
}

const turnOff = ({ admin }: TestOrganisation, breakGlass = admin.id) =>
  service.call(admin.session, 'PUT', policy, { password_sign_in: false, break_glass_member_id: breakGlass });

const signIn = ({ email, password }: TestOrganisation['admin']) =>
  service.call(null, 'POST', '/api/session', { email, password });

test('passwords are on, until an admin turns them off and names who may go on', async () => {
  const organisation = await organisationWithIssuer();
  const { admin, member } = organisation;
  const read = async () => (await service.call(admin.session, 'GET', policy)).body;
  expect(await read()).toEqual({ password_sign_in: true, break_glass: null });
  expect((await turnOff(organisation)).status).toBe(200);
  expect(await read()).toEqual({ password_sign_in: false, break_glass: { id: admin.id, name: admin.name } });
  const [last] = await auditOf(service, organisation);
  expect(last).toMatchObject({
    ...{ action: 'password_policy.update' },
    after: { password_sign_in: false, break_glass_id: admin.id, ended_sessions: 1 },
  });
  expect((await service.call(member.session, 'GET', '/api/session')).status).toBe(401);
  expect((await signIn(member)).status).toBe(401);
  expect((await signIn(admin)).status).toBe(200);
  const on = await service.call(admin.session, 'PUT', policy, { password_sign_in: true });
  expect(on.body).toEqual({ password_sign_in: true, break_glass: null });
  expect((await signIn(member)).status).toBe(200);
});

test('turning passwords off needs an issuer, and an active admin with a password', async () => {
  const bare = await service.newOrganisation();
  expect(await turnOff(bare)).toMatchObject({
    ...{ status: 422, body: { errors: [{ field: 'password_sign_in', reason: 'needs_issuer' }] } },
  });
  const organisation = await organisationWithIssuer();
  const needed = { status: 422, body: { errors: [{ field: 'break_glass_member_id', reason: 'needs_break_glass' }] } };
  const [other, without, gone] = await Promise.all([
    service.newOrganisation(),
    service.newMember(organisation.id, 'admin'),
    service.newMember(organisation.id, 'admin'),
  ]);
  await service.database.system(async (tx) => {
    await tx.updateTable('members').set({ password_hash: null }).where('id', '=', without.id).execute();
    await tx.updateTable('members').set({ deactivated_at: new Date() }).where('id', '=', gone.id).execute();
  });
  for (const id of [organisation.member.id, other.admin.id, without.id, gone.id, 'nobody'])
    expect(await turnOff(organisation, id)).toMatchObject(needed);
  const unnamed = await service.call(organisation.admin.session, 'PUT', policy, { password_sign_in: false });
  expect(unnamed).toMatchObject(needed);
  expect((await service.call(organisation.member.session, 'PUT', policy, { password_sign_in: true })).status).toBe(403);
});

test('the admin who may go on can be neither removed nor demoted meanwhile', async () => {
  const organisation = await organisationWithIssuer();
  const { admin } = organisation;
  const second = await service.newMember(organisation.id, 'admin');
  await turnOff(organisation, second.id);
  const path = `/api/org/members/${second.id}`;
  expect(await service.call(admin.session, 'DELETE', path)).toMatchObject(refused('break_glass'));
  expect(await service.call(admin.session, 'PATCH', path, { role: 'member' })).toMatchObject(refused('break_glass'));
  await turnOff(organisation);
  expect((await service.call(admin.session, 'DELETE', path)).status).toBe(200);
});

test('nobody else gets or changes a password', async () => {
  const organisation = await organisationWithIssuer();
  const { admin, member } = organisation;
  const reset = `/api/org/members/${member.id}/password-reset`;
  const { body: resetBefore } = await service.call(admin.session, 'POST', reset);
  const email = `${randomUUID()}@example.com`;
  const { body: invite } = await service.call(admin.session, 'POST', '/api/org/invites', { email });
  const second = await service.newMember(organisation.id, 'admin');
  expect((await turnOff(organisation, second.id)).status).toBe(200);
  const off = refused('password_sign_in_off');
  const password = 'correct horse battery';
  expect(await service.call(admin.session, 'POST', reset)).toMatchObject(off);
  const byToken = { token: String(Object(resetBefore).token), password };
  expect(await service.call(null, 'POST', '/api/session/password-reset', byToken)).toMatchObject(off);
  const acceptance = { token: String(Object(invite).token), name: 'Ada', password };
  expect(await service.call(null, 'POST', '/api/invites/accept', acceptance)).toMatchObject(off);
  // The session that has turned passwords off goes on, though it began by one.
  const change = { current_password: admin.password, new_password: password };
  expect(await service.call(admin.session, 'PUT', '/api/session/password', change)).toMatchObject(off);
  // The break-glass admin's may be set anew.
  const { status } = await service.call(admin.session, 'POST', `/api/org/members/${second.id}/password-reset`);
  expect(status).toBe(200);
});

test('of two admins at once, one names the other who is just being demoted: the last word is consistent', async () => {
  const organisation = await organisationWithIssuer();
  const second = await service.newMember(organisation.id, 'admin');
  const [off, demoted] = await Promise.all([
    turnOff(organisation, second.id),
    service.call(organisation.admin.session, 'PATCH', `/api/org/members/${second.id}`, { role: 'member' }),
  ]);
  expect([off.status, demoted.status].toSorted()).not.toEqual([200, 200]);
});
