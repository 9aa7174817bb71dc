import { randomBytes } from 'node:crypto';
import { hashSecret } from './api-key.js';

/** What a link opens. */
type Purpose = 'invite' | 'reset' | 'address';

/** 256 random bits, of which the database keeps the hash alone. */
export function newLinkToken(purpose: Purpose): { readonly token: string; readonly hash: Buffer } {
  const token = `postern_${purpose}_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashSecret(token) };
}
