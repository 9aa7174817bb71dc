import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { reasons } from '../../../src/procedures/problem.js';
import { makeApiKey } from '../../../src/service/auth/api-key.js';
import { createSessionTokens } from '../../../src/service/auth/session-token.js';
import { toolOrder } from '../../clients/tool-order.js';
import { at } from '../../support/at.js';
import { callTool, startGateway } from '../../support/gateway.js';
import { takePeople } from '../../support/known-people.js';
import type { Received } from './both-ways.js';
import { type OAuthDoor, startOAuthDoor } from './oauth-door.js';
import { eras, legacy, modern } from './requests.js';

let door: OAuthDoor;
beforeAll(async () => {
  door = await startOAuthDoor();
});
afterAll(() => door.close());

const requests = Object.entries({
  'initialize (2025)': legacy('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  }),
  'server/discover (2026)': modern('server/discover'),
  ...Object.fromEntries(
    Object.entries(eras).flatMap(([era, request]) => [
      [`tools/list (${era})`, request('tools/list')],
      [`tools/call (${era})`, request('tools/call', { name: 'get_org', arguments: {} })],
    ]),
  ),
  'a batch': {
    ...legacy('ping'),
    body: [legacy('ping').body, legacy('tools/call', { name: 'get_org', arguments: {} }, 2).body],
  },
  'a notification': { ...legacy('ping'), body: { jsonrpc: '2.0', method: 'notifications/initialized' } },
  'what is no JSON': { ...legacy('ping'), body: '{' },
  'a stream': { ...legacy('ping'), method: 'GET', body: '' },
});

const scope = 'openid email postern:read';
const metadata = () => `${door.gateway.url}/.well-known/oauth-protected-resource/mcp`;

/** What a client learns of a refused token. */
const challengeOf = ({ headers }: Received) =>
  Object.fromEntries([...String(headers['www-authenticate']).matchAll(/(\w+)="([^"]*)"/g)].map(([, ...pair]) => pair));

const now = () => Math.floor(Date.now() / 1000);

describe('a token', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const changed = (change: Readonly<Record<string, unknown>>) => () => door.tokenOf(door.organisation.member, change);
  const byKey = async (header: { alg: string; kid: string }, key?: Uint8Array) => {
    const [, payload = ''] = (await door.tokenOf(door.organisation.member)).split('.');
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return new SignJWT(claims).setProtectedHeader(header).sign(key ?? (await generateKeyPair('RS256')).privateKey);
  };

  test.each<[string, () => string | Promise<string>]>([
    ['for another resource', changed({ aud: 'https://other.example/mcp' })],
    ['for /api', () => door.tokenOf(door.organisation.member, { aud: `${door.gateway.url}/api` })],
    ['of another issuer', changed({ iss: 'https://login.example.com' })],
    ['that has expired', changed({ exp: now() - 120 })],
    ['that is not good yet', changed({ nbf: now() + 86_400 })],
    ['of somebody whose address is not verified', changed({ sub: 'a stranger', email_verified: false })],
    ['of somebody whom no organisation knows', changed({ sub: 'a stranger', email: 'stranger@example.com' })],
    ['by another key', () => byKey({ alg: 'RS256', kid: 'own' })],
    ['by an unknown key', () => byKey({ alg: 'RS256', kid: 'other' })],
    ['by a shared secret', () => byKey({ alg: 'HS256', kid: 'own' }, Buffer.alloc(32))],
    ['by no key', async () => `${encode({ alg: 'none' })}.${(await changed({})()).split('.')[1]}.`],
    ['with a damaged signature', async () => `${(await changed({})()).slice(0, -8)}AAAAAAAA`],
    ['that is no JWT', () => 'mF_9.B5f-4.1JqM.x'],
    [
      'of a session here that has ended',
      () => {
        const ended = { id: 's', memberId: door.organisation.member.id, expiresAt: new Date(Date.now() - 3_600_000) };
        return createSessionTokens([door.service.jwtKey]).sign(ended);
      },
    ],
  ])('%s is refused, whatever it asks', async (_title, make) => {
    const token = await make();
    for (const [name, request] of requests) {
      const answer = await door.send(token, request);
      expect([name, answer.status]).toEqual([name, 401]);
      expect(challengeOf(answer)).toEqual({
        error: 'invalid_token',
        error_description: expect.stringContaining('expired'),
        scope,
        resource_metadata: metadata(),
      });
      expect(JSON.parse(answer.text)).toMatchObject({
        id: null,
        error: { message: expect.stringMatching(/^authentication failed: the token/) },
      });
    }
  });

  test('that is good gets what it asks', async () => {
    const token = await door.tokenOf(door.organisation.member);
    const statuses = [];
    for (const [, request] of requests) statuses.push((await door.send(token, request)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 202, 400, 405]);
  });

  test('is good at the door that it names alone', async () => {
    const { member } = door.organisation;
    const statusesOf = async (token: string) => {
      const trpc = await fetch(`${door.gateway.url}/trpc/organisation.get`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return [
        (await door.send(token, legacy('tools/list'))).status,
        trpc.status,
        (await door.service.call(token, 'GET', '/api/org')).status,
      ];
    };
    expect(await statusesOf(await door.tokenOf(member))).toEqual([200, 401, 401]);
    expect(await statusesOf(await door.tokenOf(member, { aud: `${door.gateway.url}/api` }))).toEqual([401, 200, 200]);
  });

  test('is asked about once in a request, and a key never', async () => {
    const { gateway, organisation, tokenOf } = door;
    const questions = () => gateway.lines.filter((line) => JSON.parse(line).procedure === 'session.get').length;
    const asked = async (credential: string) => {
      const before = questions();
      await door.send(credential, modern('tools/list'));
      await door.send(credential, legacy('tools/call', { name: 'get_org', arguments: {} }));
      return questions() - before;
    };
    expect(await asked(await tokenOf(organisation.member))).toBe(2);
    expect(await asked(organisation.readKey)).toBe(0);
  });
});

test.each([[null], ['']])('a request with the credential %j is asked for one', async (credential) => {
  for (const [name, request] of requests) {
    const answer = await door.send(credential, request);
    expect([name, answer.status]).toEqual([name, 401]);
    expect(challengeOf(answer)).toEqual({ scope, resource_metadata: metadata() });
    expect(JSON.parse(answer.text)).toMatchObject({
      error: { message: expect.stringMatching(/^authentication failed/) },
    });
  }
});

test('keys go on working in either header, and a bad one is a tool’s failed authentication', async () => {
  const { readKey } = door.organisation;
  for (const headers of [{ authorization: `Bearer ${readKey}` }, { 'x-service-key': readKey }])
    expect(await callTool(door.gateway, 'get_org', {}, { headers })).toMatchObject({ isError: false });
  for (const key of [makeApiKey(), `${readKey.slice(0, -1)}z`, 'postern_live_']) {
    const answer = await door.send(key, legacy('tools/call', { name: 'get_org', arguments: {} }));
    expect(answer.status).toBe(200);
    expect(at(JSON.parse(answer.text), 'result')).toMatchObject({
      isError: true,
      content: [{ text: 'authentication failed' }],
    });
  }
});

test('a member’s session goes on working, with all that the member may do', async () => {
  const { session } = door.organisation.member;
  const { text } = await door.send(session, legacy('tools/list'));
  expect(at(JSON.parse(text), 'result.tools')).toHaveLength(toolOrder.length);
  const headers = { authorization: `Bearer ${session}` };
  const created = await callTool(door.gateway, 'create_project', { name: 'by a session' }, { headers });
  expect(created).toMatchObject({ isError: false });
});

describe('a token that may read', () => {
  const listing = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
  const namesOf = ({ text }: Received) => listing.parse(JSON.parse(text)).result.tools.map(({ name }) => name);
  const write = { name: 'create_project', arguments: { name: 'by a token' } };

  test('lists no tool that writes, by either way', async () => {
    const token = await door.tokenOf(door.organisation.member, { scope: 'openid postern:read' });
    for (const request of Object.values(eras)) {
      const names = namesOf(await door.send(token, request('tools/list')));
      expect(names).toContain('get_top_risks');
      expect(names).not.toContain('create_project');
    }
  });

  test.each([
    ['a call (2025)', legacy('tools/call', write)],
    ['a call (2026)', modern('tools/call', write)],
    ['a call in a batch', { ...legacy('ping'), body: [legacy('ping').body, legacy('tools/call', write, 2).body] }],
  ])('is told the scope that writing takes by %s', async (_title, request) => {
    const answer = await door.send(await door.tokenOf(door.organisation.member), request);
    expect(answer.status).toBe(403);
    expect(challengeOf(answer)).toEqual({
      error: 'insufficient_scope',
      error_description: 'this token may read alone: its scope lacks postern:write',
      scope: `${scope} postern:write`,
      resource_metadata: metadata(),
    });
    expect(answer.text).toContain('its scope lacks postern:write');
  });

  test('is no matter of scope where the client has left the tool out, or there is none', async () => {
    const token = await door.tokenOf(door.organisation.member);
    const left = { ...legacy('tools/call', write), headers: { ...legacy('ping').headers, 'x-mcp-readonly': 'true' } };
    const none = legacy('tools/call', { name: 'nothing', arguments: {} });
    for (const request of [left, none]) {
      const { status, text } = await door.send(token, request);
      expect([status, at(JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? ''), 'error.code')]).toEqual([200, -32602]);
    }
  });

  test('with postern:write lists the 41 and writes', async () => {
    const token = await door.tokenOf(door.organisation.member, { scope: 'postern:read postern:write' });
    expect(namesOf(await door.send(token, legacy('tools/list')))).toEqual(toolOrder);
    const headers = { authorization: `Bearer ${token}` };
    expect(await callTool(door.gateway, 'create_project', write.arguments, { headers })).toMatchObject({
      isError: false,
    });
  });
});

test('a person of several organisations is told which, and names one', async () => {
  const { service, server, organisation } = door;
  const other = await service.newOrganisation();
  const { member } = organisation;
  const twin = await service.newMember(other.id, 'member');
  await service.database.system((tx) =>
    tx.updateTable('members').set({ email: member.email }).where('id', '=', twin.id).execute(),
  );
  await takePeople(service, other, server);
  const token = await door.tokenOf(member);
  for (const [, request] of requests.slice(0, 6)) {
    const { status, text } = await door.send(token, request);
    expect(status).toBe(403);
    const { message } = JSON.parse(text).error;
    expect(message).toMatch(/^this person is a member of several organisations: name one/);
    for (const { id } of [organisation, other]) expect(message).toContain(`${id} ("organisation ${id}")`);
  }
  for (const { id } of [organisation, other]) {
    const headers = { authorization: `Bearer ${token}`, 'x-organisation': id };
    expect(await callTool(door.gateway, 'get_org', {}, { headers })).toMatchObject({ structuredContent: { id } });
  }
  const headers = { ...legacy('ping').headers, 'x-organisation': 'another' };
  const { status, text } = await door.send(token, { ...legacy('ping'), headers });
  expect([status, text]).toEqual([403, expect.stringContaining('is not of the organisation that the request')]);
});

test('an issuer that cannot be reached is named, and is no refused token', async () => {
  const away = await startOAuthDoor();
  away.server.isDown = true;
  const token = await away.tokenOf(away.organisation.member);
  for (const [, request] of requests) {
    const { status, headers, text } = await away.send(token, request);
    expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([503, '5', undefined]);
    expect(JSON.parse(text).error.message).toBe(`${reasons.issuer_unreachable}; retry after 5 s`);
  }
  const key = { authorization: `Bearer ${away.organisation.readKey}` };
  expect(await callTool(away.gateway, 'get_org', {}, { headers: key })).toMatchObject({ isError: false });
  await away.close();
});

test('a service that cannot be reached is 503 for a token', async () => {
  const { server, resource, organisation } = door;
  const alone = await startGateway({ serviceUrl: 'http://127.0.0.1:9', oauth: { issuer: server.issuer, resource } });
  const response = await fetch(`${alone.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await door.tokenOf(organisation.member)}`, 'content-type': 'application/json' },
    body: JSON.stringify(legacy('tools/list').body),
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  await alone.close();
});

test('the metadata is at both of its places, for pages of any origin', async () => {
  for (const path of ['', '/mcp']) {
    const address = `${door.gateway.url}/.well-known/oauth-protected-resource${path}`;
    const response = await fetch(address, { headers: { origin: 'https://inspector.example.com' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      resource: door.resource,
      authorization_servers: [door.server.issuer],
      scopes_supported: ['openid', 'email', 'postern:read', 'postern:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Postern',
    });
  }
});

test('without an issuer there is no metadata, and a call without a credential is answered as ever', async () => {
  const plain = await startGateway({ serviceUrl: door.service.url });
  expect((await fetch(`${plain.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
  expect(await callTool(plain, 'get_org', {})).toMatchObject({ isError: true, text: 'authentication failed' });
  await plain.close();
});
