import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorld, type Proofs, startProofs, storeIntelligence, type World } from '../../conformance/world.js';
import { at } from '../../support/at.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import { errorAt, readCookie, send } from './browser.js';

let postern: TestPostern;
let world: World;
let proofs: Proofs;
let page: Record<string, string>;
beforeAll(async () => {
  proofs = await startProofs();
  postern = await startPostern(proofs.options);
  world = await makeWorld(postern, await storeIntelligence(postern), { proofs });
  page = { origin: postern.url, 'sec-fetch-site': 'same-origin' };
});
afterAll(async () => {
  await postern.close();
  await proofs.close();
});

const post = (path: string, body: unknown, headers = page) =>
  send(`${postern.url}/trpc/session-cookie${path}`, { method: 'POST', headers, body });

async function organisationOf(cookie: string | undefined): Promise<unknown> {
  const { pair } = readCookie(cookie);
  const { body } = await send(`${postern.url}/trpc/session.get`, { headers: { ...page, cookie: pair } });
  return at(body, 'result.data.json.organisation.id');
}

test('a person with several organisations chooses one, and the session is in the cookie alone', async () => {
  const finished = await post('/sign-in', world.signIns.begun);
  expect([finished.status, finished.cookies]).toEqual([200, []]);
  const proof = at(finished.body, 'choice.proof');
  const chosen = await post('/sign-in/organisation', { proof, organisation: world.organisation.id });
  expect([chosen.status, Object.keys(Object(chosen.body))]).toEqual([200, ['expires_at']]);
  const { attributes } = readCookie(chosen.cookies[0]);
  expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'Path=/trpc', 'SameSite=Strict']));
  expect(await organisationOf(chosen.cookies[0])).toBe(world.organisation.id);

  const cookie = readCookie(chosen.cookies[0]).pair;
  const switched = await post('/switch', { organisation: world.signIns.elsewhere }, { ...page, cookie });
  expect([switched.status, Object.keys(Object(switched.body))]).toEqual([200, ['expires_at']]);
  expect(await organisationOf(switched.cookies[0])).toBe(world.signIns.elsewhere);
  expect(await organisationOf(chosen.cookies[0])).toBeUndefined();

  const out = await send(`${postern.url}/trpc/session-cookie`, {
    ...{ method: 'DELETE', headers: { ...page, cookie: readCookie(switched.cookies[0]).pair } },
  });
  expect(out.body).toEqual({ ended: true, logout_url: null });
});

test('refusals keep their reasons, and set no cookie', async () => {
  const refused = await post('/sign-in', world.signIns.unlinked);
  expect([refused.status, refused.cookies]).toEqual([401, []]);
  expect([errorAt(refused.body, 'failure'), errorAt(refused.body, 'reason')]).toEqual([
    'unauthenticated',
    'address_unverified',
  ]);
  const damaged = await post('/sign-in', { ...world.signIns.begun, flow: 'x' });
  expect([damaged.status, errorAt(damaged.body, 'fields.0.code')]).toEqual([400, 'sign_in_expired']);
  const nowhere = await post('/sign-in/organisation', { proof: 'x', organisation: world.signIns.elsewhere });
  expect([nowhere.status, errorAt(nowhere.body, 'fields.0.code')]).toEqual([400, 'sign_in_expired']);
});

test('another site’s page neither signs in nor switches', async () => {
  const other = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const [path, body] of [
    ['/sign-in', world.signIns.begun],
    ['/sign-in/organisation', { proof: world.signIns.proof, organisation: world.organisation.id }],
    ['/switch', { organisation: world.signIns.elsewhere }],
  ] as const) {
    const answer = await post(path, body, other);
    expect([answer.status, answer.cookies]).toEqual([403, []]);
  }
  expect((await post('/switch', { organisation: world.signIns.elsewhere })).status).toBe(401);
});

test('a password that is that of accounts in several organisations names them', async () => {
  const [one, two] = [await postern.newOrganisation(), await postern.newOrganisation()];
  const { email, password } = one.member;
  await postern.database.system((tx) =>
    tx.updateTable('members').set({ email }).where('id', '=', two.member.id).execute(),
  );
  const asked = await post('', { email, password });
  expect([asked.status, errorAt(asked.body, 'reason')]).toEqual([409, 'several_organisations']);
  const likely = [one, two].map(({ id }) => ({ id, name: `organisation ${id}` }));
  expect(errorAt(asked.body, 'likely')).toEqual(expect.arrayContaining(likely));
  const named = await post('', { email, password, organisation: two.id });
  expect(named.status).toBe(200);
  expect(await organisationOf(named.cookies[0])).toBe(two.id);
});
