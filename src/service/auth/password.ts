import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/**
 * argon2id with 19 MiB, two passes, one lane: the first recommendation of the OWASP Password Storage Cheat Sheet. argon2id
 * is the library's default, and a test checks it.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The PHC string of a password. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

let decoy: Promise<string> | undefined;

/**
 * Whether the hash is of this password. Without a hash (no such member) it does the same work with a decoy and answers
 * false, so that the time does not show whether an address is known.
 */
export async function passwordMatches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'));
  const matches = await verify(passwordHash ?? (await decoy), password);
  return passwordHash != null && matches;
}

/** A password for a first sign-in, 144 random bits. */
export function makePassword(): string {
  return randomBytes(18).toString('base64url');
}
