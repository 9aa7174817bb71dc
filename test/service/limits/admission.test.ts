import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeApiKey } from '../../../src/service/auth/api-key.js';
import { defaultLimits, type LimitSettings } from '../../../src/shared/limits/limit-settings.js';
import { textAt } from '../../support/at.js';
import { testDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestService } from '../../support/service.js';
import { watched } from '../http/watched-database.js';

let service: TestService;
let queries: string[];
afterEach(() => service.close());

async function start(limits: Partial<LimitSettings>): Promise<void> {
  // Its own: the service of the test before may still answer what it has taken.
  const own: string[] = [];
  const database = watched(await testDatabase(), ({ kind }, isRequest) => {
    if (isRequest) own.push(kind);
  });
  queries = own;
  service = await startService({ database, limits: { ...defaultLimits, ...limits } });
}

const getOrganisation = (key: string) => service.call(key, 'GET', '/api/org');

/** A request whose body never ends: it is under way until the test is over. */
async function sendForever(key: string, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`];
  socket.write(
    [...head, 'Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue', '', '{'].join('\r\n'),
  );
  return socket;
}

describe('the rate of a credential', () => {
  test('is in the header of each answer', async () => {
    await start({});
    const { readKey } = await service.newOrganisation();
    await getOrganisation(readKey);
    const { headers } = await getOrganisation(readKey);
    expect(headers.get('ratelimit-policy')).toBe('"credential";q=6000;w=10, "organisation";q=12000;w=10');
    expect(headers.get('ratelimit')).toMatch(/^"credential";r=5998;t=\d+, "organisation";r=11998;t=\d+$/);
  });

  test('ends in 429 with when to come back, and does not concern other credentials', async () => {
    await start({ ratePerCredential: 2 });
    const { readKey, writeKey } = await service.newOrganisation();
    await getOrganisation(readKey);
    await getOrganisation(readKey);
    queries.length = 0;
    const refused = await getOrganisation(readKey);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(refused.body).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringMatching(/^more than 2 calls in 10 s by one credential: send it again in \d+ s$/),
    });
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(10);
    expect(refused.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+$/);
    expect(queries).toEqual([]);
    expect((await getOrganisation(writeKey)).status).toBe(200);
  });

  test('is the same for one member in two sessions, and another for another member', async () => {
    await start({ ratePerCredential: 1 });
    const { admin, member } = await service.newOrganisation();
    const again = await service.call(null, 'POST', '/api/session', { email: admin.email, password: admin.password });
    const token = textAt(again.body, 'token');
    expect((await getOrganisation(admin.session)).status).toBe(200);
    expect((await getOrganisation(token)).status).toBe(429);
    expect((await getOrganisation(member.session)).status).toBe(200);
  });
});

test('the rate of an organisation counts all of its credentials, and does not concern other organisations', async () => {
  await start({ ratePerOrganisation: 2 });
  const [own, other] = [await service.newOrganisation(), await service.newOrganisation()];
  await getOrganisation(own.readKey);
  await getOrganisation(own.writeKey);
  const refused = await getOrganisation(own.readKey);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ detail: expect.stringContaining('by one organisation') });
  expect((await getOrganisation(other.readKey)).status).toBe(200);
});

describe('calls at once', () => {
  test('of one credential are bounded', async () => {
    await start({ atOncePerCredential: 1 });
    const { readKey, writeKey, writeKeyId } = await service.newOrganisation();
    await getOrganisation(writeKey);
    // A key that has changed is looked up again.
    await service.database.system((tx) =>
      tx.updateTable('api_keys').set({ name: 'renamed' }).where('id', '=', writeKeyId).execute(),
    );
    queries.length = 0;
    const slow = await sendForever(writeKey, '/api/projects');
    // Else the next call may be the one that is let in.
    await eventually(() => expect(queries.length).toBeGreaterThan(0));
    expect((await getOrganisation(writeKey)).status).toBe(429);
    expect((await getOrganisation(readKey)).status).toBe(200);
    slow.destroy();
    await eventually(async () => expect((await getOrganisation(writeKey)).status).toBe(200));
  });

  test('of one organisation leave another one its turn, and the next of its own are refused after their wait', async () => {
    await start({ maxWaitMs: 100 });
    const [own, other] = [await service.newOrganisation(), await service.newOrganisation()];
    await Promise.all(Array.from({ length: 12 }, () => sendForever(own.writeKey, '/api/projects')));
    const refused = await eventually(async () => {
      const answer = await getOrganisation(own.readKey);
      expect(answer.status).toBe(503);
      return answer;
    });
    expect(refused.body).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('requests are waiting'),
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2);
    // On a busy machine its own wait may be too long once.
    await eventually(async () => expect((await getOrganisation(other.readKey)).status).toBe(200));
  });

  test('a large body that arrives slowly takes nobody’s turn', async () => {
    await start({ maxWaitMs: 100 });
    const { readKey, writeKey } = await service.newOrganisation();
    const { body } = await service.call(writeKey, 'POST', '/api/projects', { name: 'Shop', exposure: 'internal' });
    const id = textAt(body, 'id');
    await Promise.all(Array.from({ length: 20 }, () => sendForever(writeKey, `/api/projects/${id}/sast/reports`)));
    expect((await getOrganisation(readKey)).status).toBe(200);
  });
});

describe('credentials that nobody knows', () => {
  test('are refused without a query after some, and known ones of the same address are not', async () => {
    await start({ unknownPerAddress: 3 });
    const { readKey, writeKey } = await service.newOrganisation();
    await getOrganisation(readKey);
    for (let tries = 0; tries < 3; tries += 1) expect((await getOrganisation(makeApiKey())).status).toBe(401);
    queries.length = 0;
    const refused = await getOrganisation(makeApiKey());
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ detail: expect.stringContaining('one address with unknown credentials') });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(queries).toEqual([]);
    expect((await getOrganisation(readKey)).status).toBe(200);
    // It was not used before. It waits like all that are new at this address.
    expect((await getOrganisation(writeKey)).status).toBe(429);
  });

  test('count only where they cost a query', async () => {
    await start({ unknownPerAddress: 1 });
    const { readKey } = await service.newOrganisation();
    for (const malformed of ['hunter2', 'postern_live_0', 'a.b.c', 'a.b.c']) {
      expect((await getOrganisation(malformed)).status).toBe(401);
    }
    expect((await getOrganisation(readKey)).status).toBe(200);
  });

  test('a key that is revoked is unknown from its next request on', async () => {
    await start({});
    const { admin, readKey, readKeyId } = await service.newOrganisation();
    expect((await getOrganisation(readKey)).status).toBe(200);
    await service.call(admin.session, 'DELETE', `/api/org/api-keys/${readKeyId}`);
    expect((await getOrganisation(readKey)).status).toBe(401);
  });
});
