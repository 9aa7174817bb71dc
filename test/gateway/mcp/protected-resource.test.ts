import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
  type OAuthClientProvider as ModernProvider,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.js';
import { callTool, createTestGateway, startGateway, type TestGateway } from '../../support/gateway.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { portOf } from '../../support/upstream.js';
import { legacy } from './requests.js';

let server: AuthorizationServer;
let service: TestService;
let gateway: TestGateway;
let organisation: TestOrganisation;
let url: string;
let resource: string;
const front = createServer();
beforeAll(async () => {
  server = await startAuthorizationServer();
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  url = `http://127.0.0.1:${portOf(front.address())}`;
  resource = `${url}/mcp`;
  service = await startService({
    issuer: { url: server.issuer, audiences: { mcp: resource, api: 'https://posture.example.com/api' } },
  });
  gateway = createTestGateway({ serviceUrl: service.url, oauth: { issuer: server.issuer, resource } });
  front.on('request', gateway.app);
  organisation = await service.newOrganisation();
});
afterAll(async () => {
  front.closeAllConnections();
  front.close();
  await gateway.close();
  await service.close();
  await server.close();
});

const callback = 'http://127.0.0.1:9/callback';

/** What an application of a person keeps, in memory. `at` is where it sends the person to sign in. */
function application() {
  const kept: {
    at?: URL;
    verifier?: string;
    client?: { client_id: string };
    tokens?: { access_token: string; token_type: string };
  } = {};
  const provider = {
    redirectUrl: callback,
    clientMetadata: { redirect_uris: [callback], client_name: 'test', token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (client: { client_id: string }) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: { access_token: string; token_type: string }) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (at: URL) => {
      kept.at = at;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
  } satisfies OAuthClientProvider & ModernProvider;
  return { kept, provider };
}

type Provider = OAuthClientProvider & ModernProvider;

const lines = {
  'SDK 1.x': (authProvider: Provider) => {
    const client = new Client({ name: 'test', version: '0' });
    const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider });
    return {
      client,
      connect: () => client.connect(transport),
      finish: (params: URLSearchParams) => transport.finishAuth(params.get('code') ?? ''),
    };
  },
  'client 2.x': (authProvider: Provider) => {
    const client = new ModernClient({ name: 'test', version: '0' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new ModernHttp(new URL(resource), { authProvider });
    return {
      client,
      connect: () => client.connect(transport),
      finish: (params: URLSearchParams) => transport.finishAuth(params),
    };
  },
};

async function signIn(line: keyof typeof lines, person: AuthorizationServer['person']) {
  server.person = person;
  const { kept, provider } = application();
  const first = lines[line](provider);
  await expect(first.connect()).rejects.toThrow(/unauthorized/i);
  if (kept.at === undefined) throw new Error('the client did not send its person to sign in');
  const { searchParams } = await server.browse(kept.at);
  await first.finish(searchParams);
  const second = lines[line](provider);
  await second.connect();
  return { client: second.client, at: kept.at };
}

describe.each(['SDK 1.x', 'client 2.x'] as const)('%s', (line) => {
  test('finds the authorization server, signs its person in, and calls as this member', async () => {
    const { member } = organisation;
    const { client, at } = await signIn(line, { email: member.email, email_verified: true });
    expect(at.searchParams.get('resource')).toBe(resource);
    const { structuredContent } = await client.callTool({ name: 'get_org', arguments: {} });
    expect(structuredContent).toMatchObject({ id: organisation.id });
    await client.close();
  });

  test.each([
    ['whose address is not verified', () => ({ email: organisation.member.email, email_verified: false })],
    ['whom no organisation knows', () => ({ email: 'stranger@example.com', email_verified: true })],
  ])('of a person %s gets nothing', async (_title, person) => {
    const { client } = await signIn(line, person());
    expect(await client.callTool({ name: 'get_org', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: 'authentication failed' }],
    });
    await client.close();
  });
});

test('the metadata is at both of its places', async () => {
  for (const path of ['', '/mcp']) {
    const response = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
    expect(await response.json()).toMatchObject({ resource, authorization_servers: [server.issuer] });
  }
});

const send = (headers: Record<string, string>) => {
  const { headers: own, body } = legacy('tools/list');
  const { authorization: _, ...rest } = own;
  const defined = Object.entries({ ...rest, 'content-type': 'application/json', ...headers });
  return fetch(resource, { method: 'POST', headers: defined, body: JSON.stringify(body) });
};

test.each([[{}], [{ authorization: 'Basic eDp5' }]])(
  'a request with the credential %j is asked for one',
  async (headers) => {
    const response = await send(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
    );
    expect(await response.json()).toMatchObject({
      id: null,
      error: { message: expect.stringMatching(/^authentication failed/) },
    });
  },
);

test('a token that has expired is told so, and clients then renew it', async () => {
  const token = await server.sign({ iss: server.issuer, aud: resource, exp: Math.floor(Date.now() / 1000) - 1 });
  const response = await send({ authorization: `Bearer ${token}` });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
});

test('keys go on working, in either header', async () => {
  const { readKey } = organisation;
  for (const headers of [{ authorization: `Bearer ${readKey}` }, { 'x-service-key': readKey }])
    expect(await callTool({ url }, 'get_org', {}, { headers })).toMatchObject({ isError: false });
});

test('an issuer that cannot be reached is named, and is no failed authentication', async () => {
  const away = await startAuthorizationServer();
  const other = await startService({
    issuer: { url: away.issuer, audiences: { mcp: resource, api: 'https://posture.example.com/api' } },
  });
  const door = await startGateway({ serviceUrl: other.url, oauth: { issuer: away.issuer, resource } });
  const token = await away.sign({ iss: away.issuer, aud: resource, exp: Math.floor(Date.now() / 1000) + 60 });
  away.isDown = true;
  const answer = await callTool(door, 'get_org', {}, { headers: { authorization: `Bearer ${token}` } });
  expect(answer).toMatchObject({
    isError: true,
    text: 'the issuer of OAuth tokens cannot be reached; API keys go on working; retry after 5 s',
  });
  await door.close();
  await other.close();
  await away.close();
});

test('without an issuer there is no metadata, and a call without a credential is answered as ever', async () => {
  const door = await startGateway({ serviceUrl: service.url });
  expect((await fetch(`${door.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
  expect(await callTool(door, 'get_org', {})).toMatchObject({ isError: true, text: 'authentication failed' });
  await door.close();
});
