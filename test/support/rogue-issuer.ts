import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { portOf } from './upstream.js';

/** An issuer that says whatever a test makes it say. */
export interface RogueIssuer {
  readonly issuer: string;
  /** In place of what a good issuer's metadata say. */
  metadata: Readonly<Record<string, unknown>>;
  /** In place of what a good ID token says, for the nonce of the page that was opened last. */
  claims: Readonly<Record<string, unknown>>;
  /** In place of answering, by path. */
  answers: Readonly<Record<string, (res: ServerResponse) => void>>;
  /** Whether ID tokens have no signature. */
  isUnsigned: boolean;
  /** Forms that came to its token endpoint. */
  readonly asked: URLSearchParams[];
  /** What a browser comes back with from the page: a code for an ID token with the page's nonce, as often as it is sent. */
  readonly open: (page: string, claims?: Readonly<Record<string, unknown>>) => URLSearchParams;
  readonly sign: (claims: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** On loopback, with the least that OpenID Connect asks of an issuer. */
export async function startRogueIssuer(): Promise<RogueIssuer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${portOf(server.address())}`;
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'ES256', use: 'sig' };
  const sign = (claims: Readonly<Record<string, unknown>>) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'own' }).sign(privateKey);
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  const rogue: Omit<RogueIssuer, 'close'> = {
    issuer,
    ...{ metadata: {}, claims: {}, answers: {}, isUnsigned: false, asked: [], sign },
    open(page, claims = {}) {
      const { searchParams } = new URL(page);
      const of = { nonce: searchParams.get('nonce'), aud: searchParams.get('client_id'), ...claims };
      return new URLSearchParams({ code: base64(of), state: searchParams.get('state') ?? '' });
    },
  };
  const idToken = (code: string) => {
    const now = Math.floor(Date.now() / 1000);
    const of: unknown = JSON.parse(Buffer.from(code, 'base64url').toString());
    const claims = { iss: issuer, sub: 's', iat: now, exp: now + 300, ...Object(of), ...rogue.claims };
    return rogue.isUnsigned ? `${base64({ alg: 'none' })}.${base64(claims)}.` : sign(claims);
  };
  const documents: Readonly<Record<string, (form: URLSearchParams) => unknown>> = {
    '/.well-known/openid-configuration': () => ({
      ...{ issuer, jwks_uri: `${issuer}/keys`, authorization_endpoint: `${issuer}/page` },
      ...{ token_endpoint: `${issuer}/token`, response_types_supported: ['code'] },
      ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['ES256'] },
      ...rogue.metadata,
    }),
    '/keys': () => ({ keys: [key] }),
    '/token': async (form: URLSearchParams) => ({
      ...{ access_token: 'a', token_type: 'Bearer', id_token: await idToken(form.get('code') ?? '') },
    }),
  };
  server.on('request', async (req, res) => {
    const path = req.url ?? '';
    const body = Buffer.concat(await req.toArray()).toString();
    const form = new URLSearchParams(body);
    if (path === '/token') rogue.asked.push(form);
    const answer = rogue.answers[path];
    if (answer !== undefined) return answer(res);
    const made = documents[path];
    if (made === undefined) return res.writeHead(404).end();
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(await made(form)));
  });
  return Object.assign(rogue, {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
