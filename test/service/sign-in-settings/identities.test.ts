import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { newPerson, type People, type Person, type Steps, startPeople, stepsOf } from '../auth/people.js';

let people: People;
let service: TestService;
let steps: Steps;
let organisation: TestOrganisation;
let issuerId: string;
let person: Person;
/** Of a member whose address is not the person's. */
let session: string;
beforeAll(async () => {
  people = await startPeople();
  service = await startService(people.options);
  steps = stepsOf(service, people);
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
  issuerId = await steps.bind(organisation);
  person = newPerson();
  ({ session } = organisation.member);
});
afterAll(async () => {
  await service.close();
  await people.server.close();
});

const link = (credential: string, token: string) =>
  service.call(credential, 'POST', '/api/session/identities', { token });
const identities = async (credential = session) =>
  at(await steps.ask(credential, 'GET', '/api/session/identities'), 'items');
const refusedFor = (reason: string) => ({ status: 422, errors: [{ field: 'token', reason }] });

/** A session that began by the identity, as one that begins at the issuer does. */
async function beginBy(identity_id: string, { id: organisation_id, member }: TestOrganisation): Promise<string> {
  const sessionId = randomUUID();
  await service.database.system((tx) =>
    tx
      .insertInto('sessions')
      .values({
        ...{ organisation_id, id: sessionId, member_id: member.id, identity_id },
        expires_at: new Date(Date.now() + 3_600_000),
      })
      .execute(),
  );
  return sessionId;
}

const sessionsOf = (member_id: string) =>
  service.database.system(async (tx) => {
    const rows = await tx.selectFrom('sessions').select('id').where('member_id', '=', member_id).execute();
    return rows.map(({ id }) => id);
  });

describe('a link', () => {
  test('from inside makes the person the member, whatever the addresses are, and is in the log', async () => {
    const token = await people.tokenOf(person);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
    const linked = await link(session, token);
    const identity = {
      ...{ id: expect.any(String), issuer: people.server.issuer, subject: person.subject },
      created_at: expect.any(String),
    };
    expect([linked.status, linked.body]).toEqual([200, identity]);
    expect(await identities()).toEqual([linked.body]);
    expect(await identities(organisation.admin.session)).toEqual([]);
    const who = await steps.ask(token, 'GET', '/api/session');
    // Another address than the member's is not proven by it.
    expect(at(who, 'caller.member')).toMatchObject({ id: organisation.member.id, proven_by: null });
    const log = await steps.ask(organisation.admin.session, 'GET', '/api/org/audit-log?action=identity.link');
    expect(log).toMatchObject({
      items: [{ actor: { id: organisation.member.id }, after: { subject: person.subject } }],
    });
  });

  test('by a token with the member’s own address proves that too, here alone', async () => {
    await steps.link(session, { ...person, email: organisation.member.email });
    const members = await steps.ask(session, 'GET', '/api/org/members');
    expect(JSON.stringify(members)).toContain('"proven_by":"issuer"');
    // To another subject with the address it gives nothing.
    const other = { ...newPerson(), email: organisation.member.email };
    expect(await steps.leadsTo(await people.tokenOf(other))).toBe('unauthenticated');
  });

  test('proves no address that the issuer has not verified', async () => {
    const { email } = organisation.member;
    const token = await people.tokenOf({ ...person, email }, { email_verified: false });
    expect((await link(session, token)).status).toBe(200);
    const members = await steps.ask(session, 'GET', '/api/org/members');
    expect(JSON.stringify(members)).not.toContain('"proven_by":"issuer"');
  });

  test('needs a session: a key and a token of the issuer make none', async () => {
    await steps.link(session, person);
    const token = await people.tokenOf(newPerson());
    for (const credential of [organisation.writeKey, organisation.readKey, await people.tokenOf(person)])
      expect((await link(credential, token)).body).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
  });

  test('needs a good token of the server’s issuer', async () => {
    const past = Math.floor(Date.now() / 1000) - 3_600;
    const bad = [
      ...['', 'no token', session, organisation.writeKey],
      ...[{ exp: past }, { iss: 'https://login.example.com' }, { aud: 'https://elsewhere.example.com' }, { sub: '' }],
    ];
    for (const each of bad) {
      const token = typeof each === 'string' ? each : await people.tokenOf(person, each);
      expect((await link(session, token)).body, JSON.stringify(each)).toMatchObject(refusedFor('not_of_issuer'));
    }
    expect(await identities()).toEqual([]);
  });

  test('needs an organisation that takes the issuer', async () => {
    const other = await service.newOrganisation();
    const token = await people.tokenOf(person);
    expect((await link(other.member.session, token)).body).toMatchObject(refusedFor('issuer_not_taken'));
    await steps.ask(organisation.admin.session, 'DELETE', `/api/org/issuers/${issuerId}`);
    expect((await link(session, token)).body).toMatchObject(refusedFor('issuer_not_taken'));
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
  });

  test('is not made to a second account of an organisation, nor of an account to a second person', async () => {
    await steps.link(session, person);
    const taken = { status: 409, reason: 'identity_taken' };
    expect((await link(organisation.admin.session, await people.tokenOf(person))).body).toMatchObject(taken);
    expect((await link(session, await people.tokenOf(newPerson()))).body).toMatchObject(taken);
    expect((await link(session, await people.tokenOf(person))).body).toMatchObject(taken);
    const who = await steps.ask(await people.tokenOf(person), 'GET', '/api/session');
    expect(at(who, 'caller.member.id')).toBe(organisation.member.id);
  });

  test('in each of two organisations is an account in each', async () => {
    const other = await service.newOrganisation();
    await steps.bind(other);
    await steps.link(session, person);
    await steps.link(other.member.session, person);
    const token = await people.tokenOf(person);
    expect(await steps.leadsTo(token)).toBe('several_organisations');
    for (const { id } of [organisation, other]) expect(await steps.leadsTo(token, { 'x-organisation': id })).toBe(id);
  });
});

describe('what a sign-in has begun', () => {
  test('ends when it is unlinked, and nothing else does', async () => {
    const id = await steps.link(session, person);
    const begun = await beginBy(id, organisation);
    const before = await sessionsOf(organisation.member.id);
    expect(before).toContain(begun);
    const token = await people.tokenOf(person);
    expect(await steps.leadsTo(token)).toBe(organisation.id);
    expect(await steps.ask(session, 'DELETE', `/api/session/identities/${id}`)).toEqual({ id, deleted: true });
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
    expect(await sessionsOf(organisation.member.id)).toEqual(before.filter((each) => each !== begun));
    expect(await identities()).toEqual([]);
    expect((await link(session, await people.tokenOf(newPerson()))).status).toBe(200);
  });

  test('ends when the organisation takes its issuer no more, there alone', async () => {
    const other = await service.newOrganisation();
    await steps.bind(other);
    await steps.link(other.member.session, person);
    const begun = await beginBy(await steps.link(session, person), organisation);
    const token = await people.tokenOf(person);
    await steps.ask(organisation.admin.session, 'DELETE', `/api/org/issuers/${issuerId}`);
    expect(await sessionsOf(organisation.member.id)).not.toContain(begun);
    expect(await identities()).toEqual([]);
    expect(await steps.leadsTo(token)).toBe(other.id);
    expect(await steps.leadsTo(session)).toBe(organisation.id);
    // Taken again, it knows nobody.
    await steps.bind(organisation);
    expect(await steps.leadsTo(token, { 'x-organisation': organisation.id })).toBe('not_member');
  });

  test('is not ended by anybody else', async () => {
    const id = await steps.link(session, person);
    const path = `/api/session/identities/${id}`;
    const other = await service.newOrganisation();
    for (const credential of [organisation.admin.session, other.member.session])
      expect((await service.call(credential, 'DELETE', path)).body).toMatchObject({
        status: 404,
        resource: 'identity',
      });
    for (const credential of [organisation.writeKey, await people.tokenOf(person)])
      expect((await service.call(credential, 'DELETE', path)).status).toBe(403);
    expect(await identities()).toHaveLength(1);
  });
});

test('without an issuer of the server no token links', async () => {
  const alone = await startService();
  const own = await alone.newOrganisation();
  const token = await people.tokenOf(person);
  const refused = await alone.call(own.member.session, 'POST', '/api/session/identities', { token });
  expect(refused.body).toMatchObject(refusedFor('not_of_issuer'));
  const { issuer } = people.server;
  const added = await alone.call(own.admin.session, 'POST', '/api/org/issuers', { issuer });
  expect(added.body).toMatchObject({ status: 422, errors: [{ field: 'client_id', reason: 'other_client' }] });
  await alone.close();
});

test('a link while the issuer is removed leaves nothing behind', async () => {
  const token = await people.tokenOf(person);
  for (let turn = 0; turn < 10; turn += 1) {
    const own = await service.newOrganisation();
    const id = await steps.bind(own);
    const [linked, removed] = await Promise.all([
      link(own.member.session, token),
      service.call(own.admin.session, 'DELETE', `/api/org/issuers/${id}`),
    ]);
    expect(removed.status).toBe(200);
    expect([200, 409, 422], JSON.stringify(linked.body)).toContain(linked.status);
    expect(await steps.ask(own.member.session, 'GET', '/api/session/identities')).toEqual({ items: [] });
  }
});
