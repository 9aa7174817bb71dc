import { randomBytes } from 'node:crypto';

/** A signing key. Standard Webhooks wants 24 to 64 bytes. */
export function newSigningKey(): Buffer {
  return randomBytes(32);
}

/** The key as users see it and as libraries of Standard Webhooks read it. */
export function printSigningKey(key: Buffer): string {
  return `whsec_${key.toString('base64')}`;
}
