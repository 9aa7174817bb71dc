import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { newPerson, type People, type Person, type Steps, startPeople, stepsOf } from './people.js';

// An admin of one organisation makes an account for the address of somebody who has never heard of it.

let people: People;
let service: TestService;
let steps: Steps;
let rogue: TestOrganisation;
let victim: TestOrganisation;
let person: Person;
let token: string;
beforeAll(async () => {
  people = await startPeople();
  service = await startService(people.options);
  steps = stepsOf(service, people);
});
beforeEach(async () => {
  [rogue, victim] = [await service.newOrganisation(), await service.newOrganisation()];
  person = newPerson();
  token = await people.tokenOf(person);
});
afterAll(async () => {
  await service.close();
  await people.server.close();
});

const confirming = (id: string) =>
  service.call(rogue.admin.session, 'PATCH', `/api/org/members/${id}`, { confirm_address: true });
const markByDomain = (id: string) =>
  service.database.system((tx) =>
    tx.updateTable('members').set({ proven_by: 'domain' }).where('id', '=', id).execute(),
  );
const domainOf = ({ email }: Person) => email.slice(email.indexOf('@') + 1);

describe('the person’s token does not lead there', () => {
  test('where the organisation has done no more', async () => {
    await steps.accountFor(rogue, person.email);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
    expect(await steps.leadsTo(token, { 'x-organisation': rogue.id })).toBe('unauthenticated');
  });

  test('where it takes the issuer', async () => {
    await steps.bind(rogue);
    await steps.accountFor(rogue, person.email);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
    expect(await steps.leadsTo(token, { 'x-organisation': rogue.id })).toBe('unauthenticated');
  });

  test('where it takes the issuer and has named the domain, which it cannot prove', async () => {
    await steps.bind(rogue);
    const { id } = await steps.accountFor(rogue, person.email);
    await steps.ask(rogue.admin.session, 'POST', '/api/org/domains', { domain: domainOf(person) });
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
    expect((await confirming(id)).body).toMatchObject({ errors: [{ reason: 'domain_not_proven' }] });
    // Nor would an account that is marked so.
    await markByDomain(id);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
  });

  test('where it has proven another domain, above or below or beside the address’s', async () => {
    await steps.bind(rogue);
    const domain = domainOf(person);
    const { id } = await steps.accountFor(rogue, person.email);
    for (const other of [`mail.${domain}`, `x-${domain}`, `${domain}.example`, 'ceo.example'])
      await steps.own(rogue, other);
    expect((await confirming(id)).body).toMatchObject({ errors: [{ reason: 'domain_not_proven' }] });
    await markByDomain(id);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
  });

  test('where its admin has signed in to the account, and linked a sign-in of his own to it', async () => {
    await steps.bind(rogue);
    const { email, password } = await steps.accountFor(rogue, person.email);
    const attacker = newPerson('attacker');
    await steps.link(await steps.sessionOf(email, password), attacker);
    expect(await steps.leadsTo(await people.tokenOf(attacker))).toBe(rogue.id);
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
  });

  test('where the organisation was made for the address by the operator', async () => {
    const admin = { email: person.email, name: 'Ada', password: randomUUID() };
    const made = { name: 'Squat', plan: 'Free', admin };
    await steps.ask(service.operatorKey, 'POST', '/api/operator/organisations', made);
    const session = await steps.sessionOf(person.email, admin.password);
    await steps.ask(session, 'POST', '/api/org/issuers', { issuer: people.server.issuer });
    expect(await steps.leadsTo(token)).toBe('unauthenticated');
  });
});

describe('the person works in the own organisation all the same', () => {
  beforeEach(async () => {
    // The rogue one is first, and has done all it can.
    await steps.bind(rogue);
    await steps.ask(rogue.admin.session, 'POST', '/api/org/domains', { domain: domainOf(person) });
    await steps.accountFor(rogue, person.email);
    await steps.bind(victim);
  });

  const ways: Record<string, () => Promise<unknown>> = {
    'by the operator’s word': async () => {
      await steps.accountFor(victim, person.email);
      await steps.prove(victim, person.email);
    },
    'by the organisation’s domain': async () => {
      await steps.confirm(victim, await steps.accountFor(victim, person.email));
    },
    'by a mail': async () => {
      const { id } = await steps.accountFor(victim, person.email);
      await service.database.system((tx) =>
        tx.updateTable('members').set({ proven_by: 'mail' }).where('id', '=', id).execute(),
      );
    },
    'by a link from inside': async () => {
      const { email, password } = await steps.accountFor(victim, person.email);
      await steps.link(await steps.sessionOf(email, password), person);
    },
  };

  test.each(Object.entries(ways))('%s; what is made is not seen by the other', async (_way, prove) => {
    await prove();
    expect(await steps.leadsTo(token)).toBe(victim.id);
    const name = `secret ${randomUUID()}`;
    const project = await steps.ask(token, 'POST', '/api/projects', { name });
    const { session } = rogue.admin;
    expect(await steps.ask(session, 'GET', '/api/projects')).toMatchObject({ total: 0 });
    expect((await service.call(session, 'GET', `/api/projects/${textAt(project, 'id')}`)).status).toBe(404);
    expect(JSON.stringify(await steps.ask(session, 'GET', '/api/org/audit-log'))).not.toContain(name);
    expect(JSON.stringify(await steps.ask(victim.admin.session, 'GET', '/api/projects'))).toContain(name);
    expect(await steps.leadsTo(token, { 'x-organisation': rogue.id })).toBe('not_member');
  });

  test('by an invite, which says no word of the other, to whomever', async () => {
    const invited = await steps.ask(victim.admin.session, 'POST', '/api/org/invites', { email: person.email });
    const accepting = { token: textAt(invited, 'token'), name: 'Ada', password: randomUUID() };
    const accepted = await steps.ask(null, 'POST', '/api/invites/accept', accepting);
    const session = await steps.sessionOf(person.email, accepting.password);
    expect(await steps.leadsTo(session)).toBe(victim.id);
    const seen = [
      ...[invited, accepted],
      await steps.ask(session, 'GET', '/api/org/members'),
      await steps.ask(victim.admin.session, 'GET', '/api/org/audit-log'),
    ];
    expect(JSON.stringify(seen)).not.toContain(rogue.id);
    expect(at(seen[2], 'total')).toBe(3);
  });
});
