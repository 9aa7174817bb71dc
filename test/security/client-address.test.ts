import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  forwardedAddress,
  forwardedCallerHeader,
  readSignedCaller,
  signedCaller,
} from '../../src/shared/http/forwarded-caller.js';
import { at } from '../support/at.js';
import { startGateway } from '../support/gateway.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { startService } from '../support/service.js';
import { startUpstream } from '../support/upstream.js';

let postern: TestPostern;
let proxied: TestPostern;
beforeAll(async () => {
  [postern, proxied] = await Promise.all([startPostern(), startPostern({ trustProxy: 1 })]);
});
afterAll(() => Promise.all([postern.close(), proxied.close()]));

/** How each door is called to make a project; all of them end in one procedure. */
const doors = {
  REST: (name: string) => ({ path: '/api/projects', body: { name } }),
  tRPC: (name: string) => ({ path: '/trpc/projects.create', body: { json: { name } } }),
  MCP: (name: string) => ({
    path: '/mcp',
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'create_project', arguments: { name } },
    },
  }),
} as const;
type Door = keyof typeof doors;

interface From {
  /** The address of this machine that the connection comes from. */
  readonly localAddress?: string;
  readonly headers?: Record<string, string>;
}

/** What the audit log has of the caller who made a project through this door. */
async function entryOf(url: string, key: string, door: Door, { localAddress = '127.0.0.1', headers }: From) {
  const agent = new Agent({ localAddress });
  onTestFinished(() => agent.close());
  const authorization = `Bearer ${key}`;
  const { path, body } = doors[door](`made ${randomUUID()}`);
  const made = await request(`${url}${path}`, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const answer = await made.body.text();
  expect(made.statusCode, answer).toBe(200);
  const log = await request(`${url}/api/org/audit-log?action=project.create&page_size=1`, {
    dispatcher: agent,
    headers: { authorization },
  });
  return at(await log.body.json(), 'items.0');
}

async function addressInAudit(...asked: Parameters<typeof entryOf>) {
  return at(await entryOf(...asked), 'ip');
}

const everyDoor: readonly (readonly [Door])[] = [['REST'], ['tRPC'], ['MCP']];

describe.each(everyDoor)('through %s the audit log has', (door) => {
  test('the address that the caller connects from', async () => {
    const { writeKey } = await postern.newOrganisation();
    expect(await addressInAudit(postern.url, writeKey, door, { localAddress: '127.0.0.88' })).toBe('127.0.0.88');
  });

  test('nothing that the caller says about it', async () => {
    const { writeKey } = await postern.newOrganisation();
    const [claimed = ''] = Object.values(
      signedCaller(randomBytes(32).toString('hex'))({
        ...{ address: '203.0.113.9', userAgent: null, door: 'api' },
      }),
    );
    for (const claim of [
      claimed,
      '203.0.113.9',
      `${Buffer.from('{"address":"203.0.113.9"}').toString('base64url')}.${'0'.repeat(64)}`,
    ]) {
      const headers = {
        [forwardedCallerHeader]: claim,
        'x-postern-caller-address': '203.0.113.9',
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      };
      expect(await addressInAudit(postern.url, writeKey, door, { localAddress: '127.0.0.89', headers })).toBe(
        '127.0.0.89',
      );
    }
  });

  test('the program that calls, as it says itself, in at most 200 characters that can be seen', async () => {
    const { writeKey } = await postern.newOrganisation();
    const deviceOf = async (headers: Record<string, string>) =>
      at(await entryOf(postern.url, writeKey, door, { headers }), 'device');
    expect(await deviceOf({ 'user-agent': 'agent/1.0 (Linux)' })).toBe('agent/1.0 (Linux)');
    expect(await deviceOf({ 'user-agent': `curl/8.5\t\u00e9 ${'x'.repeat(300)}` })).toBe(
      `curl/8.5  ${'x'.repeat(190)}`,
    );
    expect(await deviceOf({})).toBeNull();
    const signed = signedCaller(randomBytes(32).toString('hex'));
    const claimed = signed({ address: '203.0.113.9', userAgent: 'another', door: 'api' });
    expect(await deviceOf({ ...claimed, 'user-agent': 'its own' })).toBe('its own');
  });

  test('what a trusted proxy says: its last entry', async () => {
    const { writeKey } = await proxied.newOrganisation();
    const headers = { 'x-forwarded-for': '198.51.100.1, 2001:db8::7' };
    expect(await addressInAudit(proxied.url, writeKey, door, { headers })).toBe('2001:db8::7');
  });
});

describe('a gateway in front of a separate service', () => {
  test.each([['tRPC'], ['MCP']] as const)('with the same secret is believed: %s', async (door) => {
    const gatewaySecret = randomBytes(32).toString('hex');
    const service = await startService({ gatewaySecret });
    const gateway = await startGateway({ serviceUrl: service.url, callerHeaders: signedCaller(gatewaySecret) });
    onTestFinished(async () => {
      await gateway.close();
      await service.close();
    });
    const { writeKey } = await service.newOrganisation();
    const made = await throughGateway(gateway.url, writeKey, door, '127.0.0.90', { 'user-agent': 'agent/2' });
    expect(made).toBe(200);
    const log = await service.call(writeKey, 'GET', '/api/org/audit-log');
    expect(at(log.body, 'items.0')).toMatchObject({ ip: '127.0.0.90', device: 'agent/2' });
  });

  test('with another secret is not believed', async () => {
    const service = await startService({ gatewaySecret: randomBytes(32).toString('hex') });
    const gateway = await startGateway({ serviceUrl: service.url, callerHeaders: signedCaller('another secret') });
    onTestFinished(async () => {
      await gateway.close();
      await service.close();
    });
    const { writeKey } = await service.newOrganisation();
    await throughGateway(gateway.url, writeKey, 'tRPC', '127.0.0.90');
    const log = await service.call(writeKey, 'GET', '/api/org/audit-log');
    expect(at(log.body, 'items.0.ip')).toBe('127.0.0.1');
  });

  test('without a secret is believed by the service’s rules about proxies', async () => {
    const service = await startService({ trustProxy: 1 });
    const gateway = await startGateway({ serviceUrl: service.url, callerHeaders: forwardedAddress });
    onTestFinished(async () => {
      await gateway.close();
      await service.close();
    });
    const { writeKey } = await service.newOrganisation();
    await throughGateway(gateway.url, writeKey, 'MCP', '127.0.0.91');
    const log = await service.call(writeKey, 'GET', '/api/org/audit-log');
    expect(at(log.body, 'items.0.ip')).toBe('127.0.0.91');
  });

  test('never sends the secret, nor what the caller sent under those names', async () => {
    const upstream = await startUpstream();
    const secret = randomBytes(32).toString('hex');
    const gateway = await startGateway({ serviceUrl: upstream.url, callerHeaders: signedCaller(secret) });
    onTestFinished(async () => {
      await gateway.close();
      await upstream.close();
    });
    await throughGateway(gateway.url, 'k', 'tRPC', '127.0.0.92', { 'x-postern-caller-address': '203.0.113.9' });
    const sent = JSON.stringify(upstream.seen);
    const said = readSignedCaller(secret, String(upstream.seen.at(-1)?.headers[forwardedCallerHeader]));
    expect(said).toMatchObject({ address: '127.0.0.92', door: 'api' });
    expect(sent).not.toContain('203.0.113.9');
    expect(sent).not.toContain(secret);
  });
});

async function throughGateway(url: string, key: string, door: Door, localAddress: string, headers = {}) {
  const agent = new Agent({ localAddress });
  onTestFinished(() => agent.close());
  const { path, body } = doors[door]('shop');
  const answer = await request(`${url}${path}`, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  await answer.body.dump();
  return answer.statusCode;
}
