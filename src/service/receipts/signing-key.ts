import { createECDH, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { sql } from 'kysely';
import { type ReceiptKey, receiptAlgorithm } from '../../procedures/signed-receipt.js';
import type { Database, Transaction } from '../db/database.js';
import type { NamedKey } from '../secrets/sealed-text.js';
import { storedKey } from '../secrets/service-keys.js';

/** The key that signs receipts. */
export interface SigningKey {
  readonly id: string;
  readonly key: KeyObject;
}

const day = 24 * 60 * 60;

/** Seconds that a key signs. Another takes its place at the next daily look, at the latest. */
export const signsFor = 90 * day;

/** Seconds after which nobody signs with it: instances that were stopped look again when they start. */
const endsAfter = signsFor + 7 * day;

/**
 * The key that signs receipts, from the database: all services on it have the same. A new one is made where there is none, where it is
 * older than 90 days, and where its public key was deleted, which withdraws it. Earlier public keys stay.
 */
export async function loadSigningKey(
  database: Database,
  wrapping: readonly NamedKey[],
  now: Date,
): Promise<SigningKey> {
  return database.system(async (tx) => {
    // Two instances that start at once must not make two keys.
    await sql`lock table service_keys in share row exclusive mode`.execute(tx);
    const held = publicPart(await storedKey(tx, 'receipts', wrapping, newScalar));
    const since = await publishedAt(tx, await idOf(held));
    if (since !== undefined && now.getTime() - since.getTime() < signsFor * 1000) return signingKey(held);
    await tx.deleteFrom('service_keys').where('purpose', '=', 'receipts').execute();
    const made = publicPart(await storedKey(tx, 'receipts', wrapping, newScalar));
    const { x, y } = made;
    await tx
      .insertInto('receipt_keys')
      .values({ id: await idOf(made), x, y, created_at: now })
      .execute();
    return signingKey(made);
  });
}

async function publishedAt(tx: Transaction, id: string): Promise<Date | undefined> {
  const row = await tx.selectFrom('receipt_keys').select('created_at').where('id', '=', id).executeTakeFirst();
  return row?.created_at;
}

/** The public keys, the newest first. */
export async function listReceiptKeys(tx: Transaction): Promise<ReceiptKey[]> {
  const rows = await tx.selectFrom('receipt_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
  return rows.map(({ id, x, y, created_at }) => {
    const iat = Math.floor(created_at.getTime() / 1000);
    return { kty: 'EC', crv: 'P-256', x, y, kid: id, alg: receiptAlgorithm, use: 'sig', iat, exp: iat + endsAfter };
  });
}

interface Pair {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

/** Bytes of a coordinate, and of a private key, on P-256. */
const coordinateBytes = 32;

/** A private key as its number, 32 bytes. */
function newScalar(): Buffer {
  const { d = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  return Buffer.from(d, 'base64url');
}

function publicPart(scalar: Buffer): Pair {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  // Uncompressed: a byte 4, then both coordinates.
  const point = curve.getPublicKey().subarray(1);
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(0, coordinateBytes).toString('base64url'),
    y: point.subarray(coordinateBytes).toString('base64url'),
    d: scalar.toString('base64url'),
  };
}

/** RFC 7638. */
function idOf({ kty, crv, x, y }: Pair): Promise<string> {
  return calculateJwkThumbprint({ kty, crv, x, y });
}

async function signingKey(pair: Pair): Promise<SigningKey> {
  return { id: await idOf(pair), key: createPrivateKey({ key: { ...pair }, format: 'jwk' }) };
}
