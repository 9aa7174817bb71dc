import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
  type OAuthClientProvider as ModernProvider,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthorizationServer } from '../../support/authorization-server.js';
import { type OAuthDoor, startOAuthDoor } from './oauth-door.js';

let door: OAuthDoor;
beforeAll(async () => {
  door = await startOAuthDoor();
});
afterAll(() => door.close());

const callback = 'http://127.0.0.1:9/callback';

interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly scope?: string | undefined;
  readonly refresh_token?: string | undefined;
}

/** What an application of a person keeps, in memory. `at` is where it sends the person to sign in. */
function application(client?: { readonly client_id: string }) {
  const kept: { at?: URL; verifier?: string; client?: { client_id: string }; tokens?: Tokens } = {
    ...(client !== undefined && { client }),
  };
  const provider = {
    redirectUrl: callback,
    clientMetadata: { redirect_uris: [callback], client_name: 'test', token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation: (known: { client_id: string }) => {
      kept.client = known;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: Tokens) => {
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
    const transport = new StreamableHTTPClientTransport(new URL(door.resource), { authProvider });
    return {
      client,
      connect: () => client.connect(transport),
      finish: (params: URLSearchParams) => transport.finishAuth(params.get('code') ?? ''),
    };
  },
  'client 2.x': (authProvider: Provider) => {
    const client = new ModernClient({ name: 'test', version: '0' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new ModernHttp(new URL(door.resource), { authProvider });
    return {
      client,
      connect: () => client.connect(transport),
      finish: (params: URLSearchParams) => transport.finishAuth(params),
    };
  },
};

describe.each(['SDK 1.x', 'client 2.x'] as const)('%s', (line) => {
  /** Signs a person in, by a client that registers itself or that the server knows. */
  async function signIn(person: AuthorizationServer['person'], client?: { readonly client_id: string }) {
    door.server.person = person;
    const { kept, provider } = application(client);
    const first = lines[line](provider);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    await finish(kept, first);
    return { kept, ...lines[line](provider) };
  }

  async function finish(kept: { at?: URL }, { finish: withCode }: ReturnType<(typeof lines)[typeof line]>) {
    if (kept.at === undefined) throw new Error('the client did not send its person to sign in');
    const { searchParams } = await door.server.browse(kept.at);
    await withCode(searchParams);
  }

  const aMember = () => ({ email: door.organisation.member.email, email_verified: true });

  test('finds the authorization server, signs its person in to read, and calls as this member', async () => {
    const { client, connect, kept } = await signIn(aMember());
    await connect();
    expect(kept.at?.searchParams.get('resource')).toBe(door.resource);
    expect(kept.at?.searchParams.get('scope')).toBe('openid email postern:read');
    const { structuredContent } = await client.callTool({ name: 'get_org', arguments: {} });
    expect(structuredContent).toMatchObject({
      id: door.organisation.id,
      credential: { kind: 'member', scope: 'ReadOnly', role: 'member', projects: null },
    });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect([names.includes('list_alerts'), names.includes('create_project')]).toEqual([true, false]);
    expect(client.getInstructions()).toMatch(/You act for a member .* with the role member, and may only read\.$/);
    await client.close();
  });

  test.each([
    ['whose address is not verified', () => ({ email: door.organisation.admin.email, email_verified: false })],
    ['whom no organisation knows', () => ({ email: 'stranger@example.com', email_verified: true })],
  ])('a person %s is not let in', async (_title, person) => {
    const { connect } = await signIn(person());
    await expect(connect()).rejects.toThrow(/401|unauthorized/i);
  });

  test('renews a token that is good no longer, without its person', async () => {
    const { client, connect, kept } = await signIn(aMember());
    await connect();
    const expired = await door.tokenOf(door.organisation.member, { exp: Math.floor(Date.now() / 1000) - 120 });
    if (kept.tokens === undefined) throw new Error('there are no tokens');
    kept.tokens = { ...kept.tokens, access_token: expired };
    delete kept.at;
    const { structuredContent } = await client.callTool({ name: 'get_org', arguments: {} });
    expect(structuredContent).toMatchObject({ id: door.organisation.id });
    expect(kept.tokens.access_token).not.toBe(expired);
    expect(kept.at).toBe(undefined);
    await client.close();
  });

  test('asks its person for the scope to write when a tool needs it', async () => {
    const { kept, ...way } = await signIn(aMember(), await door.server.registerAgent(callback));
    await way.connect();
    // The 1.x line renews where it can, and takes that for the scope it was told.
    const { refresh_token: _, ...tokens } = kept.tokens ?? { access_token: '', token_type: '' };
    if (line === 'SDK 1.x') kept.tokens = tokens;
    const create = { name: 'create_project', arguments: { name: `by the ${line}` } };
    await expect(way.client.callTool(create)).rejects.toThrow(/unauthorized/i);
    expect(kept.at?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['openid', 'email', 'postern:read', 'postern:write']),
    );
    await finish(kept, way);
    expect(await way.client.callTool(create)).toMatchObject({ structuredContent: { name: `by the ${line}` } });
    expect((await way.client.listTools()).tools.map(({ name }) => name)).toContain('create_project');
    await way.client.close();
  });
});
