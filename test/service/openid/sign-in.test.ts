import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  auditOf,
  bind,
  choiceOf,
  newPerson,
  ownDomain,
  signIn,
  startWorld,
  tokenOf,
  visit,
  type World,
  whoIs,
} from './signing-in.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** An organisation that takes the server's issuer. */
async function organisationWith(more: Readonly<Record<string, unknown>> = {}) {
  const organisation = await world.service.newOrganisation();
  const binding = await bind(world.service, organisation, world.server.issuer, more);
  return { organisation, binding };
}

const prove = (memberId: string, by: 'mail' | 'operator') =>
  world.service.database.system((tx) =>
    tx.updateTable('members').set({ proven_by: by }).where('id', '=', memberId).execute(),
  );

const refusal = (reason: string) => ({ status: 401, body: { code: 'unauthenticated', reason } });

describe('a known person', () => {
  test('signs in by a proven address at first, and by the subject from then on, whatever becomes of the address', async () => {
    const { organisation } = await organisationWith();
    const { member } = organisation;
    await prove(member.id, 'mail');
    const person = newPerson({ email: member.email.toUpperCase() });
    const token = tokenOf(await signIn(world, person));
    expect(await whoIs(world.service, token)).toMatchObject({ organisation: organisation.id, id: member.id });
    expect((await auditOf(world.service, organisation)).map(({ action }) => action).slice(0, 2)).toEqual([
      'session.create',
      'identity.link',
    ]);
    const moved = await signIn(world, { ...person, email: `moved-${randomUUID()}@example.com` });
    expect(await whoIs(world.service, tokenOf(moved))).toMatchObject({ id: member.id, email: member.email });
  });

  test('is not whoever got the address later', async () => {
    const { organisation } = await organisationWith();
    await prove(organisation.member.id, 'operator');
    const { email } = organisation.member;
    tokenOf(await signIn(world, newPerson({ email })));
    expect(await signIn(world, newPerson({ email }))).toMatchObject(refusal('account_of_another'));
  });

  test('with an account that nobody has confirmed is told how to confirm it, and it stays as it was', async () => {
    const { organisation } = await organisationWith({ joins: true });
    const answer = await signIn(world, newPerson({ email: organisation.member.email }));
    expect(answer).toMatchObject(refusal('account_unconfirmed'));
    expect(await whoIs(world.service, organisation.member.session)).toMatchObject({ proven_by: null });
  });

  test('without a verified address is known by the subject alone', async () => {
    const { organisation } = await organisationWith();
    await prove(organisation.member.id, 'mail');
    const person = newPerson({ email: organisation.member.email });
    expect(await signIn(world, { ...person, email_verified: false })).toMatchObject(refusal('address_unverified'));
    tokenOf(await signIn(world, person));
    tokenOf(await signIn(world, { ...person, email_verified: false }));
  });

  test('has no account where the organisation does not take the issuer (any more)', async () => {
    const { organisation, binding } = await organisationWith();
    await prove(organisation.member.id, 'mail');
    const person = newPerson({ email: organisation.member.email });
    const token = tokenOf(await signIn(world, person));
    const { admin } = organisation;
    expect((await world.service.call(admin.session, 'DELETE', `/api/org/issuers/${binding}`)).status).toBe(200);
    expect((await world.service.call(token, 'GET', '/api/session')).status).toBe(401);
    expect(await signIn(world, person)).toMatchObject(refusal('no_account'));
  });

  test.each(['deactivated', 'removed'])('who is %s loses the session at once, and signs in no more', async (how) => {
    const { organisation } = await organisationWith({ joins: true });
    const { member } = organisation;
    await prove(member.id, 'mail');
    const domain = await ownDomain(world.service, organisation);
    const person = newPerson({ email: member.email });
    const token = tokenOf(await signIn(world, person));
    await world.service.database.system(async (tx) => {
      if (how === 'removed') await tx.deleteFrom('members').where('id', '=', member.id).execute();
      else await tx.updateTable('members').set({ deactivated_at: new Date() }).where('id', '=', member.id).execute();
    });
    expect((await world.service.call(token, 'GET', '/api/session')).status).toBe(401);
    expect(await signIn(world, person)).toMatchObject(refusal('no_account'));
    // Nor with an address that the organisation takes everybody of.
    if (how === 'deactivated') {
      const moved = { ...person, email: `${randomUUID()}@${domain}` };
      expect(await signIn(world, moved)).toMatchObject(refusal('no_account'));
    }
  });
});

describe('somebody new', () => {
  test('becomes a member by an address of the organisation’s domain, and is the same one next time', async () => {
    const { organisation } = await organisationWith({ joins: true, default_role: 'triager' });
    const domain = await ownDomain(world.service, organisation);
    const person = newPerson({ email: `${randomUUID()}@${domain}` });
    const member = await whoIs(world.service, tokenOf(await signIn(world, person)));
    expect(member).toMatchObject({
      ...{ organisation: organisation.id, email: person.email, name: 'Ada Lovelace' },
      ...{ role: 'triager', proven_by: 'issuer' },
    });
    const [, , joined] = await auditOf(world.service, organisation);
    expect(joined).toMatchObject({ action: 'member.join', after: { email: person.email, role: 'triager' } });
    expect(await whoIs(world.service, tokenOf(await signIn(world, person)))).toMatchObject({ id: member.id });
  });

  test.each<[string, string, Readonly<Record<string, unknown>>, boolean]>([
    ['the organisation takes nobody that way', 'no_account', { joins: false }, true],
    ['the domain is not proven', 'no_account', { joins: true }, false],
  ])('does not where %s', async (_title, reason, policy, isProven) => {
    const { organisation } = await organisationWith(policy);
    const domain = await ownDomain(world.service, organisation);
    await world.service.database.system((tx) =>
      tx
        .updateTable('email_domains')
        .set({ proven_by: isProven ? 'dns' : null })
        .where('domain', '=', domain)
        .execute(),
    );
    expect(await signIn(world, newPerson({ email: `a@${domain}` }))).toMatchObject(refusal(reason));
  });

  test('does not by an address that is not verified, and a refusal is in the log of the domain’s organisation', async () => {
    const { organisation } = await organisationWith({ joins: false });
    const domain = await ownDomain(world.service, organisation);
    const person = newPerson({ email: `a@${domain}` });
    expect(await signIn(world, { ...person, email_verified: false })).toMatchObject(refusal('address_unverified'));
    expect(await signIn(world, person)).toMatchObject(refusal('no_account'));
    const [last] = await auditOf(world.service, organisation);
    expect(last).toMatchObject({ action: 'session.refuse', after: { email: person.email, reason: 'no_account' } });
  });

  test('does not by a domain of the same name below or above', async () => {
    const { organisation } = await organisationWith({ joins: true });
    const domain = await ownDomain(world.service, organisation);
    for (const email of [`a@sub.${domain}`, `a@x${domain}`, `a@${domain}.evil.example`])
      expect(await signIn(world, newPerson({ email }))).toMatchObject(refusal('no_account'));
  });

  test('does not where the plan has no room', async () => {
    const organisation = await world.service.newOrganisation({ plan: 'Free' });
    await bind(world.service, organisation, world.server.issuer, { joins: true });
    const domain = await ownDomain(world.service, organisation);
    await world.service.database.system((tx) =>
      tx
        .insertInto('members')
        .values(
          Array.from({ length: 98 }, () => {
            const id = randomUUID();
            return {
              organisation_id: organisation.id,
              id,
              email: `${id}@example.com`,
              name: id,
              role: 'viewer' as const,
            };
          }),
        )
        .execute(),
    );
    const answer = await signIn(world, newPerson({ email: `a@${domain}` }));
    expect(answer).toMatchObject({ status: 409, body: { reason: 'quota_exceeded' } });
  });
});

describe('an invite', () => {
  async function invited(role = 'admin') {
    const { organisation } = await organisationWith();
    const person = newPerson();
    const { body } = await world.service.call(organisation.admin.session, 'POST', '/api/org/invites', {
      ...{ email: person.email, role },
    });
    const token = String(Object(body).token);
    return { organisation, person, by: { issuer: 'instance', invite_token: token } };
  }

  test('is accepted by the issuer, once, with its role', async () => {
    const { organisation, person, by } = await invited();
    const member = await whoIs(world.service, tokenOf(await signIn(world, person, by)));
    expect(member).toMatchObject({ organisation: organisation.id, role: 'admin', proven_by: 'issuer' });
    expect(await signIn(world, newPerson(), by)).toMatchObject(refusal('invite_invalid'));
  });

  test('is not accepted with another address, an unverified one, or in an organisation that does not take the issuer', async () => {
    const { organisation, person, by } = await invited();
    expect(await signIn(world, newPerson(), by)).toMatchObject(refusal('invite_for_another'));
    const [last] = await auditOf(world.service, organisation);
    expect(last).toMatchObject({ action: 'session.refuse', after: { reason: 'invite_for_another' } });
    const unverified = { ...person, email_verified: false };
    expect(await signIn(world, unverified, by)).toMatchObject(refusal('address_unverified'));
    await world.service.database.system((tx) =>
      tx.deleteFrom('issuers').where('organisation_id', '=', organisation.id).execute(),
    );
    expect(await signIn(world, person, by)).toMatchObject(refusal('unknown_issuer'));
  });
});

describe('groups', () => {
  const policy = {
    ...{ groups_claim: 'groups', default_role: 'viewer', joins: true },
    group_roles: [
      { group: 'security', role: 'admin' },
      { group: 'engineering', role: 'member' },
    ],
  };

  test('give the role that may most, anew at each sign-in', async () => {
    const { organisation } = await organisationWith(policy);
    const domain = await ownDomain(world.service, organisation);
    const person = newPerson({ email: `${randomUUID()}@${domain}` });
    const roleWith = async (groups?: readonly string[]) => {
      const answer = await signIn(world, { ...person, ...(groups !== undefined && { groups }) });
      return (await whoIs(world.service, tokenOf(answer))).role;
    };
    expect(await roleWith(['engineering', 'else'])).toBe('member');
    expect(await roleWith(['engineering', 'security'])).toBe('admin');
    const [, change] = await auditOf(world.service, organisation);
    expect(change).toMatchObject({ action: 'member.update', actor: { kind: 'system', name: world.server.issuer } });
    expect(await roleWith(['else'])).toBe('viewer');
    expect(await roleWith(['security'])).toBe('admin');
    // An issuer leaves the claim out for whom it has removed from the last group.
    expect(await roleWith()).toBe('viewer');
  });

  test('do not take the last admin away', async () => {
    const { organisation } = await organisationWith(policy);
    const { admin } = organisation;
    await prove(admin.id, 'mail');
    const answer = await signIn(world, newPerson({ email: admin.email, groups: ['engineering'] }));
    expect(await whoIs(world.service, tokenOf(answer))).toMatchObject({ id: admin.id, role: 'admin' });
  });
});

describe('a person in two organisations', () => {
  async function inTwo() {
    const person = newPerson();
    const organisations = [];
    for (let at = 0; at < 2; at += 1) {
      const { organisation } = await organisationWith();
      const { member } = organisation;
      await prove(member.id, 'mail');
      await world.service.database.system((tx) =>
        tx.updateTable('members').set({ email: person.email }).where('id', '=', member.id).execute(),
      );
      organisations.push(organisation);
    }
    const [first, second] = organisations;
    if (first === undefined || second === undefined) throw new Error('unreachable');
    return { person, first, second };
  }

  const choose = (proof: string, organisation: string) =>
    world.service.call(null, 'POST', '/api/session/sign-in/organisation', { proof, organisation });

  test('is asked which, and signs in to that one', async () => {
    const { person, first, second } = await inTwo();
    const { organisations, proof } = choiceOf(await signIn(world, person));
    expect(organisations.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
    const { status, body } = await choose(proof, second.id);
    expect(status).toBe(200);
    expect(await whoIs(world.service, String(Object(body).token))).toMatchObject({ id: second.member.id });
    const third = await world.service.newOrganisation();
    expect(await choose(proof, third.id)).toMatchObject(refusal('no_account'));
    for (const wrong of [`${proof}x`, proof.slice(0, -4), (await visit(world, person)).flow])
      expect((await choose(wrong, first.id)).body).toMatchObject({
        errors: [{ field: 'proof', reason: 'sign_in_expired' }],
      });
  });

  test('switches to where the same sign-in was before, and nowhere else; the old session ends', async () => {
    const { person, first, second } = await inTwo();
    const { call } = world.service;
    const { proof } = choiceOf(await signIn(world, person));
    const token = String(Object((await choose(proof, first.id)).body).token);
    const list = async (credential: string) => (await call(credential, 'GET', '/api/session/organisations')).body;
    const to = (credential: string, organisation: string) =>
      call(credential, 'POST', '/api/session/switch', { organisation });
    expect(await list(token)).toMatchObject({ items: [{ id: first.id }] });
    expect(await to(token, second.id)).toMatchObject({ status: 409, body: { reason: 'cannot_switch' } });
    await choose(proof, second.id);
    expect(await list(token)).toMatchObject({
      items: expect.arrayContaining([{ id: second.id, name: expect.any(String) }]),
    });
    const switched = await to(token, second.id);
    expect(switched.status).toBe(200);
    expect((await call(token, 'GET', '/api/session')).status).toBe(401);
    const there = String(Object(switched.body).token);
    expect(await whoIs(world.service, there)).toMatchObject({ organisation: second.id, id: second.member.id });
    // Back again, but for one who was deactivated there meanwhile.
    await world.service.database.system((tx) =>
      tx.updateTable('members').set({ deactivated_at: new Date() }).where('id', '=', first.member.id).execute(),
    );
    expect(await list(there)).toMatchObject({ items: [{ id: second.id }] });
    expect(await to(there, first.id)).toMatchObject({ status: 409, body: { reason: 'cannot_switch' } });
  });

  test('does not switch with a session that began by a password, which is an organisation’s', async () => {
    const { person, first, second } = await inTwo();
    const { proof } = choiceOf(await signIn(world, person));
    await choose(proof, first.id);
    await choose(proof, second.id);
    const { call } = world.service;
    const { session } = first.member;
    expect((await call(session, 'GET', '/api/session/organisations')).body).toMatchObject({
      items: [{ id: first.id }],
    });
    const answer = await call(session, 'POST', '/api/session/switch', { organisation: second.id });
    expect(answer).toMatchObject({ status: 409, body: { reason: 'cannot_switch' } });
  });
});
