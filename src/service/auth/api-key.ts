import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const apiKeyPrefix = 'postern_live_';

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

/** Whether a text can be a key at all: told without asking the database, so that a mistyped key costs nothing. */
export function isWellFormedApiKey(text: string): boolean {
  const [, digits, sum] = pattern.exec(text) ?? [];
  return digits !== undefined && checksum(digits) === sum;
}

/** What is kept of a key. It is random, so that a plain hash is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** What a key may be shown as once it has been handed out. */
export function apiKeyHint(lastFour: string): string {
  return `${apiKeyPrefix}…${lastFour}`;
}
