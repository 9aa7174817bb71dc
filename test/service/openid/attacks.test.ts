import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAuthorizationServer } from '../../support/authorization-server.js';
import { type RogueIssuer, startRogueIssuer } from '../../support/rogue-issuer.js';
import { startService, type TestOrganisation } from '../../support/service.js';
import {
  begin,
  bind,
  finish,
  newPerson,
  ownDomain,
  publicUrl,
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

const failed = { status: 422, body: { errors: [{ field: 'callback', reason: 'sign_in_failed' }] } };
const expired = { status: 422, body: { errors: [{ field: 'flow', reason: 'sign_in_expired' }] } };
const unreachable = { status: 503, body: { code: 'unavailable', reason: 'issuer_unreachable' } };
const refusal = (reason: string) => ({ status: 401, body: { code: 'unauthenticated', reason } });

/** A person of an organisation that takes the server's issuer. */
async function known(): Promise<{
  readonly organisation: TestOrganisation;
  readonly person: ReturnType<typeof newPerson>;
}> {
  const organisation = await world.service.newOrganisation();
  await bind(world.service, organisation, world.server.issuer, { joins: true });
  const domain = await ownDomain(world.service, organisation);
  return { organisation, person: newPerson({ email: `${randomUUID()}@${domain}` }) };
}

const edited = (callback: string, changes: Readonly<Record<string, string | null>>): string => {
  const query = new URLSearchParams(callback);
  for (const [name, value] of Object.entries(changes)) value === null ? query.delete(name) : query.set(name, value);
  return query.toString();
};

describe('what comes back from the issuer’s page', () => {
  test('counts for the flow of its tab alone: not with another one’s state, verifier or nonce', async () => {
    const { person } = await known();
    const [first, second] = [await visit(world, person), await visit(world, person)];
    expect(await finish(world.service, { flow: second.flow, callback: first.callback })).toMatchObject(failed);
    // Even with its state: the code was for another verifier, and its token has another nonce.
    const injected = edited(first.callback, { state: second.state });
    expect(await finish(world.service, { flow: second.flow, callback: injected })).toMatchObject(failed);
    // The other tab is none the worse.
    tokenOf(await finish(world.service, second));
  });

  test('counts once', async () => {
    const { person } = await known();
    const visited = await visit(world, person);
    tokenOf(await finish(world.service, visited));
    expect(await finish(world.service, visited)).toMatchObject(failed);
  });

  test.each<[string, Readonly<Record<string, string | null>>]>([
    ['another state', { state: 'other' }],
    ['no state', { state: null }],
    ['another issuer (mix-up)', { iss: 'https://evil.example' }],
    ['no issuer, though this one names itself', { iss: null }],
    ['another code', { code: 'other' }],
    ['no code', { code: null }],
  ])('with %s signs nobody in', async (_title, changes) => {
    const { person } = await known();
    const { flow, callback } = await visit(world, person);
    expect(await finish(world.service, { flow, callback: edited(callback, changes) })).toMatchObject(failed);
  });

  test('may be a refusal, of this very flow', async () => {
    const { flow, state } = await begin(world.service, { issuer: 'instance' });
    const said = { error: 'access_denied', error_description: '<script>', iss: world.server.issuer };
    const callback = new URLSearchParams({ ...said, state }).toString();
    const answer = await finish(world.service, { flow, callback });
    expect(answer).toMatchObject(refusal('sign_in_denied'));
    expect(JSON.stringify(answer.body)).not.toContain('script');
    const other = new URLSearchParams({ ...said, state: 'other' }).toString();
    expect(await finish(world.service, { flow, callback: other })).toMatchObject(failed);
  });
});

describe('the flow', () => {
  test('opens for the service alone, as it was sealed, and within ten minutes', async () => {
    const { person } = await known();
    const { flow, callback } = await visit(world, person);
    const parts = flow.split('.');
    const flipped = [...parts.slice(0, 3), `${parts[3]?.startsWith('A') ? 'B' : 'A'}${parts[3]?.slice(1)}`, parts[4]];
    const other = await startService({ signIn: { publicUrl } });
    for (const wrong of ['', 'x', flow.slice(0, -4), flipped.join('.'), parts.slice(0, 4).join('.')])
      expect(await finish(world.service, { flow: wrong, callback })).toMatchObject(expired);
    expect(await finish(other, { flow, callback })).toMatchObject(expired);
    await other.close();
    tokenOf(await finish(world.service, { flow, callback }));
  });

  test('shows neither its verifier, its nonce nor an invite', async () => {
    const { url, flow } = await begin(world.service, { issuer: 'instance', invite_token: 'postern_invite_x' });
    const { searchParams } = new URL(url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('redirect_uri')).toBe(`${publicUrl}/sign-in/callback`);
    const [head = ''] = flow.split('.');
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM' });
    for (const secret of [searchParams.get('nonce') ?? '?', 'postern_invite_x'])
      expect(Buffer.from(flow, 'base64url').toString()).not.toContain(secret);
  });

  test('is over when its binding’s client was changed or removed meanwhile', async () => {
    const organisation = await world.service.newOrganisation();
    const client = await world.server.register(publicUrl);
    const own = { client_id: client.clientId, client_secret: client.clientSecret };
    const binding = await bind(world.service, organisation, world.server.issuer, own);
    const visited = await visit(world, newPerson(), { issuer: binding });
    const { session } = organisation.admin;
    const path = `/api/org/issuers/${binding}`;
    expect((await world.service.call(session, 'PATCH', path, { client_id: 'other' })).status).toBe(200);
    expect(await finish(world.service, visited)).toMatchObject(expired);
    await world.service.call(session, 'DELETE', path);
    expect(await finish(world.service, visited)).toMatchObject(expired);
  });
});

describe('an organisation’s own issuer', () => {
  let rogue: RogueIssuer;
  beforeEach(async () => {
    rogue = await startRogueIssuer();
    return () => rogue.close();
  });

  const client = { client_id: 'c', client_secret: 's' };

  /** An organisation that takes the rogue issuer’s people. */
  async function ownerOf(more: Readonly<Record<string, unknown>> = {}) {
    const organisation = await world.service.newOrganisation();
    const binding = await bind(world.service, organisation, rogue.issuer, {
      ...{ ...client, joins: true, default_role: 'member' },
      ...more,
    });
    return { organisation, binding };
  }

  async function signInAs(binding: string, claims: RogueIssuer['claims']) {
    rogue.claims = claims;
    const { url, flow } = await begin(world.service, { issuer: binding });
    return finish(world.service, { flow, callback: rogue.open(url).toString() });
  }

  test('gives accounts of that organisation alone, whatever address, subject or domain it claims', async () => {
    const { organisation: victim, person } = await known();
    const token = tokenOf(await signIn(world, person));
    expect(await whoIs(world.service, token)).toMatchObject({ organisation: victim.id });
    const proven = victim.member;
    await world.service.database.system((tx) =>
      tx.updateTable('members').set({ proven_by: 'mail' }).where('id', '=', proven.id).execute(),
    );
    const { organisation, binding } = await ownerOf();
    for (const email of [person.email, proven.email, `new@${person.email.split('@')[1]}`]) {
      const answer = await signInAs(binding, { sub: person.sub, email, email_verified: true });
      expect(answer).toMatchObject(refusal('no_account'));
    }
    // What it may say of its own domain's people stays inside too.
    const domain = await ownDomain(world.service, organisation);
    const inside = tokenOf(await signInAs(binding, { sub: 'x', email: `x@${domain}`, email_verified: true }));
    expect(await whoIs(world.service, inside)).toMatchObject({ organisation: organisation.id });
    const away = await world.service.call(inside, 'POST', '/api/session/switch', { organisation: victim.id });
    expect(away).toMatchObject({ status: 409, body: { reason: 'cannot_switch' } });
  });

  test('has the same subject as another issuer, and that is another person', async () => {
    const { organisation, binding } = await ownerOf();
    const domain = await ownDomain(world.service, organisation);
    const sub = randomUUID();
    const first = tokenOf(await signInAs(binding, { sub, email: `a@${domain}`, email_verified: true }));
    await bind(world.service, organisation, world.server.issuer, { joins: true });
    const second = tokenOf(await signIn(world, newPerson({ sub, email: `b@${domain}` })));
    const [a, b] = [await whoIs(world.service, first), await whoIs(world.service, second)];
    expect(a).toMatchObject({ organisation: organisation.id, email: `a@${domain}` });
    expect(b).toMatchObject({ organisation: organisation.id, email: `b@${domain}` });
    expect(a.id).not.toBe(b.id);
  });

  test('that is the server’s issuer is another client: what each gives is its own', async () => {
    const { organisation, person } = await known();
    tokenOf(await signIn(world, person));
    const other = await world.service.newOrganisation();
    const { clientId: client_id, clientSecret: client_secret } = await world.server.register(publicUrl);
    const binding = await bind(world.service, other, world.server.issuer, { client_id, client_secret, joins: true });
    expect(await signIn(world, person, { issuer: binding })).toMatchObject(refusal('no_account'));
    const domain = await ownDomain(world.service, other);
    const insider = newPerson({ email: `i@${domain}` });
    const token = tokenOf(await signIn(world, insider, { issuer: binding }));
    expect(await whoIs(world.service, token)).toMatchObject({ organisation: other.id });
    // By the server's client, which that organisation has not taken, the same person is nobody.
    expect(await signIn(world, insider)).toMatchObject(refusal('no_account'));
    expect(await whoIs(world.service, tokenOf(await signIn(world, person)))).toMatchObject({
      organisation: organisation.id,
    });
  });

  test.each<[string, RogueIssuer['claims']]>([
    ['for another nonce', { nonce: 'other' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { aud: 'other' }],
    ['for several clients, this one not the one that asked', { aud: ['c', 'other'], azp: 'other' }],
    ['of another issuer', { iss: 'https://login.example.com' }],
    ['that has expired', { exp: 1 }],
    ['without a subject', { sub: undefined }],
  ])('signs nobody in by an ID token %s', async (_title, claims) => {
    const { organisation, binding } = await ownerOf();
    const email = `a@${await ownDomain(world.service, organisation)}`;
    const good = { sub: 's', email, email_verified: true };
    expect(await signInAs(binding, { ...good, ...claims })).toMatchObject(failed);
    tokenOf(await signInAs(binding, good));
  });

  test('signs nobody in by an ID token without signature', async () => {
    const { organisation, binding } = await ownerOf();
    const email = `a@${await ownDomain(world.service, organisation)}`;
    rogue.isUnsigned = true;
    expect(await signInAs(binding, { sub: 's', email, email_verified: true })).toMatchObject(failed);
  });

  test.each<[string, unknown]>([
    ['in words', 'true'],
    ['not', false],
    ['in no way', undefined],
  ])('signs nobody in by an address that is verified %s', async (_title, email_verified) => {
    const { organisation, binding } = await ownerOf();
    const email = `a@${await ownDomain(world.service, organisation)}`;
    expect(await signInAs(binding, { sub: 's', email, email_verified })).toMatchObject(refusal('address_unverified'));
  });

  test('is sent the code by the verifier of the flow, once, and nothing of it is in the log', async () => {
    const { binding } = await ownerOf();
    await signInAs(binding, { sub: 's', email: 'a@example.com', email_verified: true });
    expect(rogue.asked).toHaveLength(1);
    const [asked] = rogue.asked;
    expect(asked?.get('redirect_uri')).toBe(`${publicUrl}/sign-in/callback`);
    const verifier = asked?.get('code_verifier') ?? '';
    expect(verifier).toHaveLength(43);
    expect(world.service.log()).not.toContain(verifier);
  });

  const json = (body: unknown) => (res: ServerResponse) => {
    res.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  };

  test.each<[string, string, (res: ServerResponse) => void]>([
    [
      'redirects',
      '/.well-known/openid-configuration',
      (res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['answers a page', '/.well-known/openid-configuration', (res) => res.end('<html>')],
    ['answers far too much', '/.well-known/openid-configuration', json({ issuer: 'x'.repeat(300_000) })],
    ['fails', '/.well-known/openid-configuration', (res) => res.writeHead(500).end()],
    ['is another one', '/.well-known/openid-configuration', json({ issuer: 'https://evil.example' })],
  ])('that %s cannot be reached', async (_title, path, answer) => {
    const { binding } = await ownerOf();
    rogue.answers = { [path]: answer };
    const answered = await world.service.call(null, 'POST', '/api/session/sign-in', { issuer: binding });
    expect(answered).toMatchObject(unreachable);
    expect(answered.headers.get('retry-after')).toBe('5');
  });

  test.each(['/token', '/keys'])('that fails at %s cannot be reached: nobody is signed in', async (path) => {
    const { binding } = await ownerOf();
    rogue.answers = { [path]: (res) => res.writeHead(503).end() };
    const answer = await signInAs(binding, { sub: 's', email: 'a@example.com', email_verified: true });
    expect(answer).toMatchObject(unreachable);
  });

  test('sends browsers to web pages alone', async () => {
    for (const authorization_endpoint of ['javascript:alert(1)//', 'data:text/html,x', 'file:///etc/passwd']) {
      const { binding } = await ownerOf();
      rogue.metadata = { authorization_endpoint };
      const answer = await world.service.call(null, 'POST', '/api/session/sign-in', { issuer: binding });
      expect(answer).toMatchObject(unreachable);
      await rogue.close();
      rogue = await startRogueIssuer();
    }
  });

  test('is not asked at private addresses, unless the operator allows its host', async () => {
    const guarded = await startService({ signIn: { publicUrl } });
    const organisation = await guarded.newOrganisation();
    const binding = await bind(guarded, organisation, rogue.issuer, client);
    let asked = 0;
    rogue.answers = {
      '/.well-known/openid-configuration': (res) => {
        asked += 1;
        res.end();
      },
    };
    const answer = await guarded.call(null, 'POST', '/api/session/sign-in', { issuer: binding });
    expect(answer).toMatchObject(unreachable);
    expect(asked).toBe(0);
    await guarded.close();
  });
});

test('an issuer that is down is 503 by its name, and is not asked at each try', async () => {
  const away = await startAuthorizationServer();
  const registered = await away.register(publicUrl);
  const service = await startService({ signIn: { publicUrl, instance: { issuer: away.issuer, ...registered } } });
  away.isDown = true;
  const before = away.asked.metadata;
  for (let at = 0; at < 3; at += 1)
    expect(await service.call(null, 'POST', '/api/session/sign-in', { issuer: 'instance' })).toMatchObject(unreachable);
  expect(away.asked.metadata - before).toBe(1);
  await service.close();
  await away.close();
});

test('there is no sign-in by an issuer that nobody has configured, or without the address of this server', async () => {
  const unknown = { status: 422, body: { errors: [{ field: 'issuer', reason: 'unknown_issuer' }] } };
  expect(await world.service.call(null, 'POST', '/api/session/sign-in', { issuer: 'iss_none' })).toMatchObject(unknown);
  const plain = await startService();
  expect(await plain.call(null, 'POST', '/api/session/sign-in', { issuer: 'instance' })).toMatchObject(unknown);
  const organisation = await plain.newOrganisation();
  const own = { client_id: 'c', client_secret: 's' };
  const binding = await bind(plain, organisation, 'https://login.example.com', own);
  expect(await plain.call(null, 'POST', '/api/session/sign-in', { issuer: binding })).toMatchObject({
    ...{ status: 409, body: { reason: 'no_public_url' } },
  });
  await plain.close();
});
