import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyPrefix } from '../../shared/http/api-key-prefix.js';

/** Prefix, 56 random hex digits, and their CRC-32 as 8 more. */
const pattern = /^postern_live_([0-9a-f]{56})([0-9a-f]{8})$/;

function checksum(digits: string): string {
  return crc32(digits).toString(16).padStart(8, '0');
}

/** A new API key: 224 random bits. */
export function makeApiKey(): string {
  const digits = randomBytes(28).toString('hex');
  return `${apiKeyPrefix}${digits}${checksum(digits)}`;
}

/** Whether a text has a key's form and checksum: a mistyped key costs no query. */
export function isWellFormedApiKey(text: string): boolean {
  const [, digits, sum] = pattern.exec(text) ?? [];
  return digits !== undefined && checksum(digits) === sum;
}

/** The hash that is stored of a key or token. They are random, so a hash without salt or stretching is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** How a key is shown after its creation. */
export function apiKeyHint(lastFour: string): string {
  return `${apiKeyPrefix}…${lastFour}`;
}
