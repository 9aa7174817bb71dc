import { randomBytes } from 'node:crypto';

/** 32 signs, so that one byte's low five bits choose one without bias. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const signs = 20;

/** A new identifier: `prj_` and 20 random signs of lower-case base32 (100 bits). */
export function newId(prefix: string): string {
  let id = `${prefix}_`;
  for (const byte of randomBytes(signs)) id += alphabet.charAt(byte & 31);
  return id;
}
