import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { newPerson, type People, type Person, type Steps, startPeople, stepsOf } from './people.js';

// Who a token of the issuer is, where subjects, addresses and domains change hands.

let people: People;
let service: TestService;
let steps: Steps;
let organisation: TestOrganisation;
let person: Person;
beforeAll(async () => {
  people = await startPeople();
  service = await startService(people.options);
  steps = stepsOf(service, people);
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
  person = newPerson();
  await steps.bind(organisation);
});
afterAll(async () => {
  await service.close();
  await people.server.close();
});

const leads = async (who: Person, claims: Record<string, unknown> = {}) =>
  steps.leadsTo(await people.tokenOf(who, claims));

/** Which account a token is, by the member's id. */
async function accountOf(who: Person): Promise<unknown> {
  const { body } = await service.call(await people.tokenOf(who), 'GET', '/api/session');
  return body;
}

async function provenAccount(email = person.email) {
  const account = await steps.accountFor(organisation, email);
  await steps.prove(organisation, email);
  return account;
}

const deactivate = (id: string, deactivated: boolean) =>
  steps.ask(organisation.admin.session, 'PATCH', `/api/org/members/${id}`, { deactivated });

describe('an address', () => {
  test('that the issuer has not verified, or does not say, is nobody’s', async () => {
    await provenAccount();
    for (const email_verified of [false, 'true', 1, null, undefined])
      expect(await leads(person, { email_verified })).toBe('unauthenticated');
    for (const email of [undefined, null, '', 'no address', [person.email], { value: person.email }])
      expect(await leads(person, { email })).toBe('unauthenticated');
    expect(await leads(person)).toBe(organisation.id);
  });

  test('no longer matters once the subject is known', async () => {
    await provenAccount();
    expect(await leads(person)).toBe(organisation.id);
    for (const claims of [{ email: undefined }, { email_verified: false }, { email: newPerson().email }])
      expect(await leads(person, claims)).toBe(organisation.id);
  });

  test('is the same in capitals', async () => {
    await provenAccount();
    expect(await leads({ ...person, email: person.email.toUpperCase() })).toBe(organisation.id);
  });

  test('that has changed at the issuer leaves the person the account, and gives no other', async () => {
    const own = await provenAccount();
    expect(await accountOf(person)).toMatchObject({ caller: { member: { id: own.id } } });
    const other = await provenAccount(newPerson('other').email);
    expect(await accountOf({ ...person, email: other.email })).toMatchObject({ caller: { member: { id: own.id } } });
  });

  test('that is used again by another person gives nothing of the first', async () => {
    const own = await provenAccount();
    expect(await leads(person)).toBe(organisation.id);
    const second = { ...newPerson(), email: person.email };
    expect(await leads(second)).toBe('unauthenticated');
    expect(await steps.leadsTo(await people.tokenOf(second), { 'x-organisation': organisation.id })).toBe(
      'unauthenticated',
    );
    expect(await accountOf(person)).toMatchObject({ caller: { member: { id: own.id } } });
  });

  test('of two who come at once is the one’s who was first, for good', async () => {
    await provenAccount();
    const both = [person, { ...newPerson(), email: person.email }];
    const first = await Promise.all(both.map((each) => leads(each)));
    expect(first.toSorted()).toEqual([organisation.id, 'unauthenticated'].toSorted());
    expect(await Promise.all(both.map((each) => leads(each)))).toEqual(first);
  });

  test('proven by the domain counts no longer when the domain does not', async () => {
    const other = newPerson('other');
    const sameDomain = { ...other, email: `other@${person.email.split('@')[1]}` };
    for (const { email } of [person, sameDomain]) {
      await steps.confirm(organisation, await steps.accountFor(organisation, email));
    }
    expect(await leads(person)).toBe(organisation.id);
    const domain = person.email.split('@')[1];
    await steps.ask(organisation.admin.session, 'DELETE', `/api/org/domains/${domain}`);
    expect(await leads(sameDomain)).toBe('unauthenticated');
    // Who is known stays known.
    expect(await leads(person)).toBe(organisation.id);
    // Named again, it is not proven again.
    await steps.ask(organisation.admin.session, 'POST', '/api/org/domains', { domain });
    expect(await leads(sameDomain)).toBe('unauthenticated');
  });

  test('of a domain that has become another organisation’s counts there alone', async () => {
    await steps.confirm(organisation, await steps.accountFor(organisation, person.email));
    const heir = await service.newOrganisation();
    await steps.bind(heir);
    await steps.confirm(heir, await steps.accountFor(heir, person.email));
    expect(await leads(person)).toBe(heir.id);
  });
});

describe('a subject', () => {
  test('of another issuer is somebody else', async () => {
    const account = await steps.accountFor(organisation, person.email);
    const issuer = 'https://login.example.com';
    const client = { client_id: 'postern', client_secret: 'secret' };
    await steps.ask(organisation.admin.session, 'POST', '/api/org/issuers', { issuer, ...client });
    await service.database.system((tx) =>
      tx
        .insertInto('identities')
        .values({
          ...{ organisation_id: organisation.id, id: `idn_${randomUUID()}`, member_id: account.id, issuer },
          subject: person.subject,
        })
        .execute(),
    );
    expect(await leads(person)).toBe('unauthenticated');
    // Nor does what the other issuer has shown count here.
    await service.database.system((tx) =>
      tx.updateTable('members').set({ proven_by: 'issuer' }).where('id', '=', account.id).execute(),
    );
    expect(await leads(person)).toBe('unauthenticated');
  });

  test.each([
    ['no text', 7],
    ['empty', ''],
    ['longer than 255 characters', 'x'.repeat(256)],
    ['with what no database takes', 'a\0b'],
  ])('that is %s is nobody', async (_how, sub) => {
    await provenAccount();
    expect(await leads(person, { sub })).toBe('unauthenticated');
  });

  test('of 255 characters is somebody', async () => {
    await provenAccount();
    expect(await leads({ ...person, subject: 'x'.repeat(219) + randomUUID() })).toBe(organisation.id);
  });
});

describe('an account', () => {
  test('that is deactivated is nobody’s, by address and by subject, at once; and is the same one’s again', async () => {
    const { id } = await provenAccount();
    await deactivate(id, true);
    expect(await leads(person)).toBe('unauthenticated');
    await deactivate(id, false);
    const token = await people.tokenOf(person);
    expect(await steps.leadsTo(token)).toBe(organisation.id);
    await deactivate(id, true);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
    expect(await leads({ ...newPerson(), email: person.email })).toBe('unauthenticated');
    await deactivate(id, false);
    expect(await steps.leadsTo(token)).toBe(organisation.id);
  });

  test('that is removed is not found again by an invite to the same address', async () => {
    const { id } = await provenAccount();
    const token = await people.tokenOf(person);
    expect(await steps.leadsTo(token)).toBe(organisation.id);
    await steps.ask(organisation.admin.session, 'DELETE', `/api/org/members/${id}`);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
    await steps.accountFor(organisation, person.email);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
  });

  test('is nobody’s at an issuer that its organisation does not take, or takes no more', async () => {
    const other = await service.newOrganisation();
    await steps.accountFor(other, person.email);
    await steps.prove(other, person.email);
    expect(await leads(person)).toBe('unauthenticated');
    const issuer = await steps.bind(other);
    const token = await people.tokenOf(person);
    expect(await steps.leadsTo(token)).toBe(other.id);
    await steps.ask(other.admin.session, 'DELETE', `/api/org/issuers/${issuer}`);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
  });
});
