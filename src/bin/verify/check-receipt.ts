import { decodeProtectedHeader, errors, importJWK, jwtVerify } from 'jose';
import * as z from 'zod';
import {
  type ReceiptClaims,
  type ReceiptKey,
  receiptAlgorithm,
  receiptClaims,
  receiptType,
} from '../../procedures/signed-receipt.js';

/** Why a receipt proves nothing. */
export class BadReceipt extends Error {}

interface Trust {
  readonly keys: readonly ReceiptKey[];
  /** Whose receipts are taken; null: whoever signs with the keys. */
  readonly issuer: string | null;
  readonly now: Date;
}

interface GoodReceipt {
  readonly claims: ReceiptClaims;
  readonly key: ReceiptKey;
}

/** Seconds that the clocks of two machines may differ by. */
const clockSkew = 300;

/**
 * Answers the claims of a receipt that a trusted key has signed while it was in use.
 * @throws BadReceipt
 */
export async function checkReceipt(jws: string, { keys, issuer, now }: Trust): Promise<GoodReceipt> {
  const { alg, kid, typ } = headerOf(jws);
  if (alg !== receiptAlgorithm)
    throw new BadReceipt(
      `its header says ${JSON.stringify(alg)} in place of ${receiptAlgorithm}: it is not signed as receipts are`,
    );
  if (typ !== receiptType)
    throw new BadReceipt(`it is a signed ${JSON.stringify(typ)}, and no receipt (${receiptType})`);
  const key = keys.find((each) => each.kid === kid);
  if (key === undefined)
    throw new BadReceipt(
      `none of the ${keys.length} keys is ${JSON.stringify(kid)}: another server signed it, or the key was withdrawn`,
    );
  const claims = await claimsOf(jws, key);
  if (issuer !== null && claims.iss !== issuer)
    throw new BadReceipt(
      `it is of ${JSON.stringify(claims.iss)}, and not of ${issuer}; --issuer takes another address`,
    );
  const says = `it says ${atSecond(claims.iat)}`;
  if (claims.iat > Math.floor(now.getTime() / 1000) + clockSkew)
    throw new BadReceipt(`${says}, which is in the future`);
  if (claims.iat > key.exp) throw new BadReceipt(`${says}, and its key expired at ${atSecond(key.exp)}`);
  if (claims.iat < key.iat - clockSkew) throw new BadReceipt(`${says}, and its key was made at ${atSecond(key.iat)}`);
  return { claims, key };
}

function headerOf(jws: string) {
  try {
    return decodeProtectedHeader(jws);
  } catch {
    throw new BadReceipt('it is no JWS: a receipt is one line, three texts in base64url joined by dots');
  }
}

async function claimsOf(jws: string, key: ReceiptKey): Promise<ReceiptClaims> {
  try {
    const { payload } = await jwtVerify(jws, await importJWK({ ...key }), { algorithms: [receiptAlgorithm] });
    return receiptClaims.parse(payload);
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new BadReceipt(
        `its claims are of no version known here: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`,
      );
    if (error instanceof errors.JOSEError)
      throw new BadReceipt('the signature does not fit: it was changed after it was signed, or signed by another key');
    throw error;
  }
}

/** Seconds since 1970 as RFC 3339. */
export function atSecond(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '');
}
