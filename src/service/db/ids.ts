import { randomBytes, randomFillSync } from 'node:crypto';

/** 32 characters: the low five bits of a random byte select one without bias. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const length = 20;

/** A new identifier: a prefix as `prj_`, then 20 random characters of lower-case base32 (100 bits). */
export function newId(prefix: string): string {
  let id = `${prefix}_`;
  for (const byte of randomBytes(length)) id += alphabet.charAt(byte & 31);
  return id;
}

/** Random bytes of the next ids. The system is asked once for many: asking costs more than all else of an id. */
const pool = Buffer.alloc(6 * 512);
let used = pool.length;

let lastMs = 0;
let sequence = 0;

/**
 * An id that sorts by creation, also within a millisecond: 48 bits of time, 32 of sequence, 48 random ones, in hex.
 * Audit rows of one transaction have the same timestamp; their ids keep their order.
 */
export function newSortableId(prefix: string): string {
  const now = Date.now();
  sequence = now > lastMs ? 0 : sequence + 1;
  lastMs = Math.max(now, lastMs);
  return `${prefix}_${hex(lastMs, 12)}${hex(sequence, 8)}${randomHex()}`;
}

function randomHex(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 6;
  return pool.toString('hex', used - 6, used);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
