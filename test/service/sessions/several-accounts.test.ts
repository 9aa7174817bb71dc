import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { type People, type Steps, startPeople, stepsOf } from '../auth/people.js';

// One address with accounts in several organisations, each with a password of its own.

let people: People;
let service: TestService;
let steps: Steps;
let first: TestOrganisation;
let second: TestOrganisation;
let email: string;
beforeAll(async () => {
  people = await startPeople();
  service = await startService();
  steps = stepsOf(service, people);
});
beforeEach(async () => {
  [first, second] = [await service.newOrganisation(), await service.newOrganisation()];
  email = `${randomUUID()}@example.com`;
});
afterAll(async () => {
  await service.close();
  await people.server.close();
});

const shared = 'a password of both accounts';

async function organisationOf(password: string, organisation?: string): Promise<unknown> {
  const { status, body } = await steps.signIn(email, password, organisation);
  return status === 200 ? steps.leadsTo(textAt(body, 'token')) : (at(body, 'reason') ?? at(body, 'code'));
}

const setOrganisation = (id: string, values: { password_sign_in?: boolean; break_glass_id?: string }) =>
  service.database.system((tx) => tx.updateTable('organisations').set(values).where('id', '=', id).execute());

describe('signing in by password', () => {
  test('leads to the one account whose password it is', async () => {
    await steps.accountFor(first, email, 'the password of the first');
    await steps.accountFor(second, email, 'the password of the second');
    expect(await organisationOf('the password of the first')).toBe(first.id);
    expect(await organisationOf('the password of the second')).toBe(second.id);
    expect(await organisationOf('the password of neither')).toBe('unauthenticated');
    expect(await organisationOf('the password of the first', second.id)).toBe('unauthenticated');
  });

  test('names those whose password it is, and no other, and takes the one that is chosen', async () => {
    const third = await service.newOrganisation();
    for (const each of [first, second]) await steps.accountFor(each, email, shared);
    await steps.accountFor(third, email, 'another password');
    const { status, body } = await steps.signIn(email, shared);
    expect([status, at(body, 'reason')]).toEqual([409, 'several_organisations']);
    const named = [first, second].map(({ id }) => ({ id, name: `organisation ${id}` }));
    expect(at(body, 'likely')).toHaveLength(2);
    expect(at(body, 'likely')).toEqual(expect.arrayContaining(named));
    for (const { id } of [first, second]) expect(await organisationOf(shared, id)).toBe(id);
    for (const id of [third.id, 'org_unknown']) expect(await organisationOf(shared, id)).toBe('unauthenticated');
  });

  test('says nothing of accounts to whom the password is not known, and costs one computation in any case', async () => {
    await steps.accountFor(first, email, 'the password of the first');
    const alone = await steps.signIn(email, 'no password of theirs');
    await steps.accountFor(second, email, 'the password of the second');
    const both = await steps.signIn(email, 'no password of theirs');
    const nobody = await steps.signIn(`${randomUUID()}@example.com`, 'no password of theirs');
    const comparable = ({ status, body }: { status: number; body: unknown }) => [
      status,
      { ...Object(body), request_id: 0 },
    ];
    expect(comparable(both)).toEqual(comparable(alone));
    expect(comparable(both)).toEqual(comparable(nobody));
  });

  test('passes over accounts that are deactivated, or have no password', async () => {
    const { id } = await steps.accountFor(first, email, shared);
    const other = await steps.accountFor(second, email, shared);
    const set = (member: string, values: { deactivated_at?: Date | null; password_hash?: null }) =>
      service.database.system((tx) => tx.updateTable('members').set(values).where('id', '=', member).execute());
    await set(id, { deactivated_at: new Date() });
    expect(await organisationOf(shared)).toBe(second.id);
    expect(await organisationOf(shared, first.id)).toBe('unauthenticated');
    await set(id, { deactivated_at: null });
    await set(other.id, { password_hash: null });
    expect(await organisationOf(shared)).toBe(first.id);
    expect(await organisationOf(shared, second.id)).toBe('unauthenticated');
  });

  test('passes over organisations without passwords, but for the one that may break the glass', async () => {
    const { id } = await steps.accountFor(first, email, shared);
    await setOrganisation(first.id, { password_sign_in: false });
    expect(await organisationOf(shared)).toBe('unauthenticated');
    await steps.accountFor(second, email, shared);
    expect(await organisationOf(shared)).toBe(second.id);
    await setOrganisation(first.id, { break_glass_id: first.admin.id });
    expect(await organisationOf(shared, first.id)).toBe('unauthenticated');
    await setOrganisation(first.id, { break_glass_id: id });
    expect(await organisationOf(shared)).toBe('several_organisations');
    expect(await organisationOf(shared, first.id)).toBe(first.id);
  });
});

test('all passwords of an address have one salt, however they were set', async () => {
  const { password } = await steps.accountFor(first, email);
  await steps.accountFor(second, email, shared);
  const admin = { email, name: 'Ada', password: 'chosen by the operator' };
  const made = { name: 'Third', plan: 'Free', admin };
  await steps.ask(service.operatorKey, 'POST', '/api/operator/organisations', made);
  const session = await steps.sessionOf(email, password);
  const change = { current_password: password, new_password: 'changed by the member' };
  await steps.ask(session, 'PUT', '/api/session/password', change);
  const reset = await steps.ask(service.operatorKey, 'POST', '/api/operator/password-resets', {
    ...{ email, organisation_id: second.id },
  });
  const used = { token: textAt(reset, 'token'), password: 'set by a reset' };
  await steps.ask(null, 'POST', '/api/session/password-reset', used);
  const rows = await service.database.system((tx) =>
    tx.selectFrom('members').select('password_hash').where('email', '=', email).execute(),
  );
  expect(new Set(rows.map((row) => row.password_hash)).size).toBe(3);
  expect(new Set(rows.map((row) => row.password_hash?.split('$')[4])).size).toBe(1);
  for (const each of ['changed by the member', 'set by a reset', 'chosen by the operator'])
    expect((await steps.signIn(email, each)).status).toBe(200);
});

test('a reset by an admin who can read it opens that account alone', async () => {
  const squatted = await steps.accountFor(first, email);
  const own = await steps.accountFor(second, email);
  const session = await steps.sessionOf(email, own.password);
  const path = `/api/org/members/${squatted.id}/password-reset`;
  const token = textAt(await steps.ask(first.admin.session, 'POST', path, {}), 'token');
  expect((await service.call(second.admin.session, 'POST', path, {})).status).toBe(404);
  await steps.ask(null, 'POST', '/api/session/password-reset', { token, password: 'set by the admin' });
  expect(await organisationOf('set by the admin')).toBe(first.id);
  expect(await organisationOf('set by the admin', second.id)).toBe('unauthenticated');
  expect(await organisationOf(own.password)).toBe(second.id);
  expect(await steps.leadsTo(session)).toBe(second.id);
});

describe('who has an account for somebody else’s address', () => {
  test('guesses no longer at the others than a stranger does', async () => {
    const counted = await startService({ trustProxy: 1 });
    onTestFinished(counted.close);
    const { password } = await steps.accountFor(first, email, 'known to who guesses');
    const own = await steps.accountFor(second, email, 'the one that is guessed');
    const signIn = async (given: string, from: string) => {
      const headers = { 'x-forwarded-for': from };
      return (await counted.call(null, 'POST', '/api/session', { email, password: given }, headers)).status;
    };
    const outcomes: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (let guess = 0; guess < 8; guess += 1) outcomes.push(await signIn(`guess ${round} ${guess}`, '192.0.2.1'));
      // Takes the count of the guesses back, and makes the network one that the account knows.
      expect(await signIn(password, '192.0.2.1')).toBe(200);
    }
    expect(outcomes).toEqual(Array(40).fill(401));
    // By now nobody but members that the network knows is let in from there: even the right password is none.
    expect(await signIn(own.password, '192.0.2.1')).toBe(401);
    expect(await signIn(own.password, '192.0.2.2')).toBe(429);
  });
});
