import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import * as z from 'zod';
import { portOf } from './upstream.js';

/** Who signs in next. */
interface Person {
  readonly email: string;
  readonly email_verified: boolean;
  /** The address, where it is absent. */
  readonly sub?: string;
  readonly name?: string;
  readonly groups?: readonly string[];
}

interface TestClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface AuthorizationServer {
  readonly issuer: string;
  /** Requests for its metadata and its keys. */
  readonly asked: { metadata: number; keys: number };
  person: Person;
  /** Whether it answers 503 to all. */
  isDown: boolean;
  /** Where browsers are sent back to, in place of where they should. */
  returning: (to: URL) => URL | Promise<URL>;
  /** Registers a server that people sign in to, at this address. */
  readonly register: (publicUrl: string) => Promise<TestClient>;
  /** Whether its key set has another key than that of its tokens. */
  hasRemovedItsKey: boolean;
  /** Follows the page of a client's sign-in as a browser does, to the address that the client is called back at. */
  readonly browse: (authorizationUrl: URL) => Promise<URL>;
  /** A client that it knows, for any scope: one that registers itself gets no more than it names then. */
  readonly registerAgent: (redirectUri: string) => Promise<{ readonly client_id: string }>;
  /** A token by its own key. */
  readonly sign: (claims: JWTPayload) => Promise<string>;
  readonly close: () => Promise<void>;
}

const registered = z.object({ client_id: z.string(), client_secret: z.string() });

const scopes = 'openid email profile groups offline_access postern:read postern:write';

/**
 * A real OAuth authorization server on loopback. Its access tokens are JWTs for the resource that the client names, of the scope that it
 * asks for, and each comes with a token to renew it.
 */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${portOf(server.address())}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  const other = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
  const person: Person = { email: '', email_verified: true };
  const returning: AuthorizationServer['returning'] = (to) => to;
  const state = { person, isDown: false, hasRemovedItsKey: false, returning, asked: { metadata: 0, keys: 0 } };
  const people = new Map<string, Person>();
  const subjectOf = ({ sub, email }: Person) => sub ?? email;

  const provider = new Provider(issuer, {
    jwks: { keys: [key] },
    cookies: { keys: ['only for tests'] },
    scopes: scopes.split(' '),
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    extraTokenClaims: () => ({ email: state.person.email, email_verified: state.person.email_verified }),
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    issueRefreshToken: () => Promise.resolve(true),
    interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
    // Consent is given.
    async loadExistingGrant({ oidc }) {
      const { client, session, params } = oidc;
      const grant = new provider.Grant({
        ...(client !== undefined && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      });
      grant.addOIDCScope(scopes);
      if (params?.['resource'] !== undefined) grant.addResourceScope(String(params['resource']), scopes);
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      // Without a page that asks: who comes has meant it.
      rpInitiatedLogout: {
        logoutSource(ctx, form) {
          ctx.body = `<!doctype html><title>Sign out</title>${form}<script>document.forms[0].submit()</script>`;
        },
      },
      backchannelLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, audience) => ({ scope: scopes, audience, accessTokenFormat: 'jwt' }),
      },
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    const { location: to } = ctx.response.headers;
    if (typeof to === 'string' && to.includes('code=')) ctx.set('location', (await state.returning(new URL(to))).href);
  });
  const serve = provider.callback();
  server.on('request', (req, res) => {
    const url = req.url ?? '';
    if (url.startsWith('/.well-known/')) state.asked.metadata += 1;
    if (url.startsWith('/jwks')) state.asked.keys += 1;
    if (state.isDown) return void res.writeHead(503).end();
    if (url.startsWith('/jwks') && state.hasRemovedItsKey)
      return void res.end(JSON.stringify({ keys: [{ ...other, kid: 'other', alg: 'RS256', use: 'sig' }] }));
    if (!url.startsWith('/sign-in/')) return void serve(req, res);
    people.set(subjectOf(state.person), state.person);
    const result = { login: { accountId: subjectOf(state.person) }, consent: {} };
    provider
      .interactionFinished(req, res, result)
      .catch((error: unknown) => res.destroy(Error('sign-in', { cause: error })));
  });

  return Object.assign(state, {
    issuer,
    async register(publicUrl: string) {
      const response = await fetch(`${issuer}/reg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          redirect_uris: [`${publicUrl}/sign-in/callback`],
          post_logout_redirect_uris: [`${publicUrl}/sign-in`],
          backchannel_logout_uri: `${publicUrl}/api/session/back-channel-logout`,
          token_endpoint_auth_method: 'client_secret_basic',
        }),
      });
      const { client_id: clientId, client_secret: clientSecret } = registered.parse(await response.json());
      return { clientId, clientSecret };
    },
    async browse(authorizationUrl: URL) {
      const cookies = new Map<string, string>();
      let url = authorizationUrl;
      for (let hops = 0; url.origin === issuer; hops += 1) {
        if (hops > 20) throw new Error(`the sign-in goes round: ${url}`);
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`no way on: ${response.status} ${await response.text()}`);
        url = new URL(location, url);
      }
      return url;
    },
    async registerAgent(redirectUri: string) {
      const response = await fetch(`${issuer}/reg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
      });
      return z.object({ client_id: z.string() }).parse(await response.json());
    },
    sign: (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own', typ: 'at+jwt' }).sign(privateKey),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
