import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';

/** A session ends this long after signing in or its last renewal: a working day, so that nobody is thrown out of one. */
const lifetimeSeconds = 12 * 60 * 60;

/** However often it is renewed, it ends this long after signing in. */
const maxAgeSeconds = 7 * 24 * 60 * 60;

/** When a session ends that is begun or renewed now. At a whole second, like its token. */
export function sessionEnd(now: Date, begunAt = now): Date {
  const second = (date: Date) => Math.floor(date.getTime() / 1000);
  return new Date(Math.min(second(now) + lifetimeSeconds, second(begunAt) + maxAgeSeconds) * 1000);
}

const issuer = 'postern';
const audience = 'postern-api';
const algorithm = 'HS256';

const claims = z.object({ sub: z.string(), jti: z.string() });

/** Signs and reads the tokens of member sessions. Keys are for HMAC-SHA-256: 32 bytes or more. */
export interface SessionTokens {
  sign(session: { readonly id: string; readonly memberId: string; readonly expiresAt: Date }): Promise<string>;
  /** The session that a token names; undefined where the token is forged, damaged or expired. */
  read(token: string): Promise<{ readonly id: string; readonly memberId: string } | undefined>;
}

/** @param keys the one that signs, then those that are only accepted: so a key can be replaced while sessions go on */
export function createSessionTokens(keys: readonly Uint8Array[]): SessionTokens {
  const [signingKey] = keys;
  if (signingKey === undefined || keys.some((key) => key.byteLength < 32)) {
    throw new Error('the key of session tokens must have at least 32 bytes');
  }
  return {
    sign({ id, memberId, expiresAt }) {
      return new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(memberId)
        .setJti(id)
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(signingKey);
    },
    async read(token) {
      for (const key of keys) {
        const session = await sessionOf(token, key);
        if (session !== undefined) return session;
      }
      return undefined;
    },
  };
}

async function sessionOf(token: string, key: Uint8Array) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'jti'],
    });
    const { sub, jti } = claims.parse(payload);
    return { id: jti, memberId: sub };
  } catch {
    return undefined;
  }
}
