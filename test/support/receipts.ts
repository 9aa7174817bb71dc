import type { Database } from '../../src/service/db/database.js';
import { openReceiptSigner, type ReceiptSigner } from '../../src/service/receipts/signer.js';

/** The issuer of receipts in tests. */
export const receiptIssuer = 'https://postern.test';

/** Signs with the key of the database, as every service on it does. */
export function testReceipts(database: Database): Promise<ReceiptSigner> {
  return openReceiptSigner({ database, wrapping: [], issuer: () => receiptIssuer, version: '0.0.0' });
}
