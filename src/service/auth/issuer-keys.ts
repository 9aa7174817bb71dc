import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { boundedFetch } from '../../shared/http/bounded-fetch.js';

/** A key set or metadata document of a real issuer has a few kB. */
const maxBytes = 256 * 1024;

/** A key that is not among those that are kept makes this ask again, but not at every such token. */
const cooldownMs = 30_000;

/** How an issuer is asked, in milliseconds. */
interface Patience {
  /** For which each of its answers is awaited. */
  readonly timeoutMs: number;
  /** After which its keys are asked for again: a key that it has removed counts no longer. */
  readonly keysForMs: number;
}

/** The issuer did not answer, or with something else than its metadata or keys. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable';
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/**
 * The keys of an issuer, by its metadata (OpenID Connect Discovery, else RFC 8414). Throws `IssuerUnreachable`.
 * @param issuer as in the tokens' `iss`
 */
export function issuerKeys(issuer: string, { timeoutMs, keysForMs }: Patience): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const load = async (): Promise<JWTVerifyGetKey> => {
    const options = { timeoutDuration: timeoutMs, cooldownDuration: cooldownMs, cacheMaxAge: keysForMs };
    const url = await jwksUrl(issuer, timeoutMs);
    return createRemoteJWKSet(url, { ...options, [customFetch]: (address) => ask(address, timeoutMs) });
  };
  return async (header, token) => {
    keys ??= load();
    try {
      return await (await keys)(header, token);
    } catch (error) {
      if (error instanceof IssuerUnreachable) keys = undefined;
      throw error;
    }
  };
}

async function jwksUrl(issuer: string, timeoutMs: number): Promise<URL> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  for (const place of places) {
    const response = await ask(place, timeoutMs);
    if (response.status === 404) continue;
    const { data } = metadata.safeParse(await response.json().catch(() => undefined));
    if (response.status !== 200 || data?.issuer !== issuer) break;
    const url = new URL(data.jwks_uri);
    // Keys that come in clear over a network are anybody's.
    if (url.protocol === new URL(issuer).protocol || url.protocol === 'https:') return url;
    break;
  }
  throw new IssuerUnreachable();
}

async function ask(address: string, timeoutMs: number): Promise<Response> {
  try {
    return await boundedFetch(address, { timeoutMs, maxBytes });
  } catch {
    throw new IssuerUnreachable();
  }
}
