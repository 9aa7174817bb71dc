import { SignJWT } from 'jose';
import * as z from 'zod';
import {
  type ReceiptStatement,
  receiptAlgorithm,
  receiptStatement,
  receiptType,
} from '../../procedures/signed-receipt.js';
import type { Database } from '../db/database.js';
import { newId } from '../db/ids.js';
import type { Job } from '../jobs/job.js';
import type { NamedKey } from '../secrets/sealed-text.js';
import { loadSigningKey } from './signing-key.js';

/** Signs receipts. */
export interface ReceiptSigner {
  /** A compact JWS. */
  sign(statement: ReceiptStatement, about: { readonly organisationId: string; readonly now: Date }): Promise<string>;
  /** Takes the newest key, making it where the last one is too old. */
  renew(now: Date): Promise<void>;
}

interface SignerOptions {
  readonly database: Database;
  readonly wrapping: readonly NamedKey[];
  /** The address at which people know this server. */
  readonly issuer: () => string;
  /** The program's version. */
  readonly version: string;
}

export async function openReceiptSigner({
  database,
  wrapping,
  issuer,
  version,
}: SignerOptions): Promise<ReceiptSigner> {
  let signing = await loadSigningKey(database, wrapping, new Date());
  return {
    sign(statement, { organisationId, now }) {
      const { id, key } = signing;
      return new SignJWT({ ...z.encode(receiptStatement, statement), postern: version })
        .setProtectedHeader({ alg: receiptAlgorithm, kid: id, typ: receiptType })
        .setIssuer(issuer())
        .setSubject(organisationId)
        .setJti(newId('rcp'))
        .setIssuedAt(now)
        .sign(key);
    },
    async renew(now) {
      signing = await loadSigningKey(database, wrapping, now);
    },
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Looks for a newer key each day. Each instance keeps the key. */
export const keyRenewalJob = (signer: ReceiptSigner): Job => ({
  ...{ name: 'receipt-key', everyMs: dayMs, shared: 'every_instance' },
  failure: 'the key of receipts could not be renewed',
  run: () => signer.renew(new Date()),
});
