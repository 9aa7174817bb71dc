import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { type People, type Steps, startPeople, stepsOf } from '../auth/people.js';

let people: People;
let service: TestService;
let steps: Steps;
let organisation: TestOrganisation;
/** Of the server's own issuer. */
let issuerId: string;
beforeAll(async () => {
  people = await startPeople();
  service = await startService(people.options);
  steps = stepsOf(service, people);
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
  issuerId = await steps.bind(organisation);
});
afterAll(async () => {
  await service.close();
  await people.server.close();
});

test('an issuer’s row says what its people get, and keeps its secret to itself', async () => {
  const { admin } = organisation;
  const client = { client_id: 'postern', client_secret: `secret ${randomUUID()}` };
  const added = await steps.ask(admin.session, 'POST', '/api/org/issuers', {
    ...{ issuer: 'https://login.example.com', ...client },
    ...{ default_role: 'member', joins: true, groups_claim: 'groups', group_roles: [{ group: 'sec', role: 'admin' }] },
  });
  expect(added).toMatchObject({ client_id: 'postern', default_role: 'member', joins: true, revision: 1 });
  const path = `/api/org/issuers/${textAt(added, 'id')}`;
  const changed = await steps.ask(admin.session, 'PATCH', path, { default_role: 'viewer', expected_revision: 1 });
  expect(changed).toEqual({ ...Object(added), default_role: 'viewer', revision: 2 });
  const seen = [added, changed, await steps.ask(admin.session, 'GET', '/api/org/issuers')];
  seen.push(await steps.ask(admin.session, 'GET', '/api/org/audit-log'));
  const kept = await service.database.system((tx) => tx.selectFrom('issuers').selectAll().execute());
  expect(JSON.stringify([seen, kept])).not.toContain(client.client_secret);
});

test.each([
  ['an issuer twice', {}, { status: 409, reason: 'issuer_known' }],
  ['plain HTTP', { issuer: 'http://login.example.com' }, { errors: [{ field: 'issuer' }] }],
  ['an address with a query', { issuer: 'https://a.example/?x' }, { errors: [{ field: 'issuer' }] }],
  ['admins by default', { default_role: 'admin' }, { errors: [{ field: 'default_role' }] }],
  ['another issuer without a client', { issuer: 'https://a.example' }, { errors: [{ reason: 'other_client' }] }],
  ['a client without its secret', { client_id: 'x' }, { errors: [{ field: 'client_secret', reason: 'other_client' }] }],
])('%s is refused', async (_what, change, refusal) => {
  const own = { issuer: people.server.issuer, ...change };
  const answer = await service.call(organisation.admin.session, 'POST', '/api/org/issuers', own);
  expect(answer.body).toMatchObject(refusal);
});

test('a revision that is not the newest, another’s issuer, and a client for the server’s own are refused', async () => {
  const patch = (credential: string, body: object) =>
    service.call(credential, 'PATCH', `/api/org/issuers/${issuerId}`, body);
  const { admin } = organisation;
  expect((await patch(admin.session, { joins: true, expected_revision: 9 })).status).toBe(412);
  expect((await patch(admin.session, { client_id: 'x' })).body).toMatchObject({ errors: [{ reason: 'own_client' }] });
  const other = await service.newOrganisation();
  expect((await patch(other.admin.session, { joins: true })).body).toMatchObject({ status: 404, resource: 'issuer' });
  expect((await patch(organisation.member.session, { joins: true })).status).toBe(403);
});

test('an organisation takes twenty issuers at most', async () => {
  const add = (n: number) =>
    service.call(organisation.admin.session, 'POST', '/api/org/issuers', {
      ...{ issuer: `https://${n}.example`, client_id: 'postern', client_secret: 'secret' },
    });
  for (let n = 1; n < 20; n += 1) expect((await add(n)).status).toBe(200);
  expect((await add(20)).body).toMatchObject({ errors: [{ field: 'issuer', reason: 'too_many_issuers' }] });
});
