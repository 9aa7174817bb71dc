import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { reasons } from '../../procedures/problem.js';
import { ApiError } from '../http/api-error.js';
import { IssuerUnreachable, issuerKeys } from './issuer-keys.js';

/** Signatures by a key pair. With a shared secret, or none, everybody who can check a token could make one. */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** After a failure the issuer is not asked again for so long: meanwhile nobody waits for it. */
const restMs = 5_000;

const isJwt = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Clocks differ. */
const toleranceSeconds = 60;

/** An address that the issuer has not verified may be somebody else's: it does not count. */
const verifiedAddress = z
  .object({ email: z.email().toLowerCase(), email_verified: z.literal(true) })
  .transform(({ email }) => email);

/** Scopes as one text (RFC 9068, 2.2.3) or, as Microsoft Entra and Okta write them, as a list or under another name. */
const scopes = z.union([z.array(z.string()), z.string().transform((text) => text.split(' '))]);

/** An id or a name; Keycloak writes an object whose keys are names. */
const organisations = z.union([
  z.string().transform((name) => [name]),
  z.array(z.string()),
  z.record(z.string(), z.unknown()).transform((named) => Object.keys(named)),
]);

const claims = z.object({
  // OpenID Connect Core, 2: 255 ASCII characters at most.
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  exp: z.number(),
  scope: scopes.optional().catch(undefined),
  scp: scopes.optional().catch(undefined),
  // One that cannot be read may be a bound: such a token is not taken.
  organization: organisations.nullish(),
});

/** The doors that a token can be for: /mcp, or /api and /trpc. */
export type Door = 'mcp' | 'api';

/** The OAuth authorization server whose access tokens are taken. */
export interface Issuer {
  /** As in the tokens' `iss`. */
  readonly url: string;
  /** What the tokens must be for (`aud`, RFC 8707), by the door that they come to. */
  readonly audiences: Readonly<Record<Door, string>>;
  /** Milliseconds for which each of its answers is awaited. By default 3,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for which its keys are kept. By default five minutes. */
  readonly keysForMs?: number | undefined;
}

/** A person as an issuer has proved. */
export interface Proof {
  readonly issuer: string;
  readonly subject: string;
  /** That the issuer has verified, in lower case; null: none. */
  readonly email: string | null;
}

/** Whom a token is about, and what it may be used for. */
export interface TokenHolder extends Proof {
  /** `postern:write` is needed to write; any token reads. */
  readonly access: 'read' | 'write';
  /** The organisations that the token is for, by id or name; empty: it names none. */
  readonly organisations: readonly string[];
  readonly expiresAt: Date;
}

/** Reads access tokens of one issuer. */
export interface IssuerTokens {
  /**
   * Waits until the issuer's keys are here or cannot be had, for a token that needs them: before its request takes a
   * turn, which an issuer that is slow would hold. Throws nothing: what is wrong shows when the token is read.
   */
  prepare(token: string): Promise<void>;
  /**
   * Whom a token is about; undefined where it is of somebody else, forged, damaged, expired, or for another door.
   * Throws `ApiError` `unavailable` where the issuer's keys cannot be had.
   */
  read(token: string, door: Door): Promise<TokenHolder | undefined>;
}

export function createIssuerTokens(issuer: Issuer): IssuerTokens {
  const { url, audiences, timeoutMs = 3_000, keysForMs = 5 * 60_000 } = issuer;
  const keys = issuerKeys(url, { timeoutMs, keysForMs });
  let restsUntilMs = 0;
  const rest = () => {
    restsUntilMs = Date.now() + restMs;
  };
  return {
    async prepare(token) {
      if (!isOf(token, url) || Date.now() < restsUntilMs) return;
      try {
        const { alg = 'none', ...header } = decodeProtectedHeader(token);
        await keys({ ...header, alg }, { payload: '', signature: '' });
      } catch (error) {
        if (isUnreachable(error)) rest();
      }
    },
    async read(token, door) {
      if (!isOf(token, url)) return undefined;
      if (Date.now() < restsUntilMs) throw unreachable();
      try {
        const { payload } = await jwtVerify(token, keys, {
          ...{ issuer: url, audience: audiences[door], algorithms, requiredClaims: ['exp', 'sub'] },
          clockTolerance: toleranceSeconds,
        });
        const { data } = claims.safeParse(payload);
        if (data === undefined) return undefined;
        const granted = [...(data.scope ?? []), ...(data.scp ?? [])];
        return {
          issuer: url,
          subject: data.sub,
          email: verifiedAddress.safeParse(payload).data ?? null,
          access: granted.includes('postern:write') ? 'write' : 'read',
          organisations: data.organization ?? [],
          expiresAt: new Date((data.exp + toleranceSeconds) * 1000),
        };
      } catch (error) {
        if (!isUnreachable(error)) return undefined;
        rest();
        throw unreachable();
      }
    },
  };
}

/** Whether a text claims to be a token of the issuer: nothing else is worth asking the issuer for. */
function isOf(token: string, issuer: string): boolean {
  // Each call asks this: what is no JWT, as an API key, costs no error.
  if (!isJwt.test(token)) return false;
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** Whether the keys are at fault, and not the token. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof IssuerUnreachable || error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
    return true;
  // What jose says of an answer that is no key set, beside errors with codes of their own.
  return error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC';
}

function unreachable(): ApiError {
  const reason = 'issuer_unreachable';
  return new ApiError('unavailable', { reason, detail: reasons[reason], retryAfterSeconds: restMs / 1000 });
}
