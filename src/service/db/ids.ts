import { randomBytes } from 'node:crypto';

/** 32 characters: the low five bits of a random byte select one without bias. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const length = 20;

/** A new identifier: a prefix as `prj_`, then 20 random characters of lower-case base32 (100 bits). */
export function newId(prefix: string): string {
  let id = `${prefix}_`;
  for (const byte of randomBytes(length)) id += alphabet.charAt(byte & 31);
  return id;
}
