import { createHmac, randomBytes } from 'node:crypto';

/** What stands for a secret in memory and in Redis: an HMAC-SHA-256 in base64url. The secret does not follow from it. */
export type KeyedHash = (secret: string) => string;

/**
 * @param shared something secret that several instances have in common, such as the URL of their Redis, where they have to
 * agree on the hash. Without it, the key is of this process alone.
 */
export function createKeyedHash(shared?: string): KeyedHash {
  const key = shared === undefined ? randomBytes(32) : createHmac('sha256', 'postern limits').update(shared).digest();
  return (secret) => createHmac('sha256', key).update(secret).digest('base64url');
}
