import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { Transaction } from '../db/database.js';

/**
 * argon2id with 19 MiB, two passes, one lane: the first recommendation of the OWASP Password Storage Cheat Sheet. argon2id
 * is the library's default, and a test checks it.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * The PHC string of a password.
 *
 * @param like a hash of the same address, where there is one: its salt is taken again, and so one computation tells of which accounts of
 * an address a password is, and in how many organisations it has one shows in no time
 */
export function hashPassword(password: string, like?: string | null): Promise<string> {
  return hash(password, { ...parameters, ...(like != null && { salt: saltOf(like) }) });
}

/** Fourth of `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
function saltOf(passwordHash: string): Buffer {
  return Buffer.from(passwordHash.split('$')[4] ?? '', 'base64');
}

/** Different salts that the accounts of one address have, at most: where two of them began at the same moment there are two. */
const maxSalts = 4;

/** Which of some hashes are of this password. Where there is none it does the same work as for one. */
export async function hashesOf(password: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const bySalt = new Map(hashes.map((each) => [each.slice(0, each.lastIndexOf('$')), each]));
  const made: string[] = [];
  for (const each of [...bySalt.values()].slice(0, maxSalts)) {
    const { memoryCost, timeCost, parallelism, outputLen } = parseOptions(each);
    made.push(await hash(password, { memoryCost, timeCost, parallelism, outputLen, salt: saltOf(each) }));
  }
  if (made.length === 0) await hashPassword(password);
  return new Set(hashes.filter((each) => made.some((other) => areEqual(each, other))));
}

function areEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Whether the hash is of this password. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  return passwordHash !== null && verify(passwordHash, password);
}

/** A password for a first sign-in, 144 random bits. */
export function makePassword(): string {
  return randomBytes(18).toString('base64url');
}

/** A hash of the address, whose salt its next one has; undefined where it has none. For a transaction that sees all organisations. */
export async function hashOfAddress(tx: Transaction, email: string): Promise<string | undefined> {
  const account = await tx
    .selectFrom('members')
    .select('password_hash')
    .where('email', '=', email)
    .where('password_hash', 'is not', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return account?.password_hash ?? undefined;
}
