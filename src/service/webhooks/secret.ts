import { randomBytes } from 'node:crypto';

/** A signing key of Standard Webhooks: 24 to 64 bytes are asked for. */
export function newSigningKey(): Buffer {
  return randomBytes(32);
}

/** The key as its receiver is shown it, and libraries of Standard Webhooks take it. */
export function printSigningKey(key: Buffer): string {
  return `whsec_${key.toString('base64')}`;
}
