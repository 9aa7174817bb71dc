import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RogueIssuer, startRogueIssuer } from '../../support/rogue-issuer.js';
import { startService } from '../../support/service.js';
import {
  auditOf,
  begin,
  bind,
  finish,
  newPerson,
  ownDomain,
  publicUrl,
  signIn,
  startWorld,
  tokenOf,
  type World,
} from './signing-in.js';

let world: World;
let rogue: RogueIssuer;
beforeAll(async () => {
  [world, rogue] = await Promise.all([startWorld(), startRogueIssuer()]);
});
afterAll(() => Promise.all([world.close(), rogue.close()]));

const event = 'http://schemas.openid.net/event/backchannel-logout';

async function taking(issuer: string, more: Readonly<Record<string, unknown>> = {}) {
  const organisation = await world.service.newOrganisation();
  const policy = { joins: true, default_role: 'member', ...more };
  const binding = await bind(world.service, organisation, issuer, policy);
  return { organisation, binding, domain: await ownDomain(world.service, organisation) };
}

const isGood = async (token: string) => (await world.service.call(token, 'GET', '/api/session')).status === 200;
const end = async (token: string) => (await world.service.call(token, 'DELETE', '/api/session')).body;

test('signing out answers the issuer’s own page, which comes back here', async () => {
  const { domain } = await taking(world.server.issuer);
  const token = tokenOf(await signIn(world, newPerson({ email: `a@${domain}` })));
  const answer = await end(token);
  const url = new URL(String(Object(answer).logout_url));
  expect(`${url.origin}${url.pathname}`).toBe(`${world.server.issuer}/session/end`);
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${publicUrl}/sign-in`);
  expect(url.searchParams.get('client_id')).not.toBe('');
  expect(await isGood(token)).toBe(false);
});

test('a session by password, and an issuer without such a page or away, end here alone', async () => {
  const { member } = await world.service.newOrganisation();
  expect(await end(member.session)).toEqual({ ended: true, logout_url: null });
  const { binding, domain } = await taking(rogue.issuer, { client_id: 'c', client_secret: 's' });
  rogue.claims = { sub: randomUUID(), email: `a@${domain}`, email_verified: true };
  const { url, flow } = await begin(world.service, { issuer: binding });
  const token = tokenOf(await finish(world.service, { flow, callback: rogue.open(url).toString() }));
  expect(await end(token)).toEqual({ ended: true, logout_url: null });
});

test('an issuer’s page to sign out at is a web page, or none', async () => {
  const other = await startRogueIssuer();
  other.metadata = { end_session_endpoint: 'javascript:alert(1)' };
  const { binding, domain } = await taking(other.issuer, { client_id: 'c', client_secret: 's' });
  other.claims = { sub: randomUUID(), email: `a@${domain}`, email_verified: true };
  const { url, flow } = await begin(world.service, { issuer: binding });
  const token = tokenOf(await finish(world.service, { flow, callback: other.open(url).toString() }));
  expect(await end(token)).toEqual({ ended: true, logout_url: null });
  await other.close();
});

async function logOut(token: string, at = world.service) {
  const answer = await fetch(`${at.url}/api/session/back-channel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });
  await answer.body?.cancel();
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return answer.status;
}

test('an issuer ends the sessions of its person, and of nobody else', async () => {
  const own = { client_id: `c-${randomUUID()}`, client_secret: 's' };
  const { organisation, binding, domain } = await taking(rogue.issuer, own);
  const stranger = await taking(rogue.issuer, { client_id: `c-${randomUUID()}`, client_secret: 's' });
  const signInAs = async (sub: string, by = { binding, domain }) => {
    rogue.claims = { sub, email: `${sub}@${by.domain}`, email_verified: true };
    const { url, flow } = await begin(world.service, { issuer: by.binding });
    return tokenOf(await finish(world.service, { flow, callback: rogue.open(url).toString() }));
  };
  const sub = randomUUID();
  const sessions = [await signInAs(sub), await signInAs(sub)];
  const [other, elsewhere] = [await signInAs(randomUUID()), await signInAs(sub, stranger)];

  const now = Math.floor(Date.now() / 1000);
  const good = {
    ...{ iss: rogue.issuer, aud: own.client_id, sub, iat: now, exp: now + 120, jti: randomUUID() },
    events: { [event]: {} },
  };
  for (const wrong of [
    { ...good, aud: 'other' },
    { ...good, iss: world.server.issuer },
    { ...good, events: {} },
    { ...good, nonce: 'n' },
    { ...good, exp: now - 60 },
    { ...good, exp: undefined },
    { ...good, sub: undefined },
  ])
    expect(await logOut(await rogue.sign(wrong))).toBe(400);
  const forger = await startRogueIssuer();
  expect(await logOut(await forger.sign(good))).toBe(400);
  await forger.close();
  for (const text of ['', 'x', 'a.b.c']) expect(await logOut(text)).toBe(400);
  expect(await Promise.all([...sessions, other, elsewhere].map(isGood))).toEqual([true, true, true, true]);

  expect(await logOut(await rogue.sign(good))).toBe(200);
  expect(await Promise.all([...sessions, other, elsewhere].map(isGood))).toEqual([false, false, true, true]);
  const [last] = await auditOf(world.service, organisation);
  expect(last).toMatchObject({ action: 'session.end_others', actor: { kind: 'system', name: rogue.issuer } });
});

test('an organisation that names another one’s client ends nothing there', async () => {
  const { domain, organisation } = await taking(world.server.issuer);
  const token = tokenOf(await signIn(world, newPerson({ email: `a@${domain}`, sub: 'known-subject' })));
  await taking(rogue.issuer, { client_id: 'c2', client_secret: 's' });
  const now = Math.floor(Date.now() / 1000);
  const forged = {
    ...{ iss: rogue.issuer, aud: 'c2', sub: 'known-subject', iat: now, exp: now + 120, jti: randomUUID() },
    events: { [event]: {} },
  };
  expect(await logOut(await rogue.sign(forged))).toBe(200);
  expect(await isGood(token)).toBe(true);
  expect(organisation.id).not.toBe('');
});

test('a service without issuers says no', async () => {
  const plain = await startService();
  expect(await logOut(await rogue.sign({ iss: rogue.issuer, aud: 'c' }), plain)).toBe(400);
  await plain.close();
});
