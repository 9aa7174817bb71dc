import * as z from 'zod';
import { definePublicProcedure } from './define.js';
import { receiptKeySet } from './signed-receipt.js';

export const receipts = {
  getKeys: definePublicProcedure({
    access: 'read',
    http: 'GET /api/receipts/keys',
    title: 'Get the keys of receipts',
    description:
      'The public keys (a JSON Web Key Set) that signed receipts are verified with, earlier ones included. Also at /.well-known/jwks.json.',
    input: z.strictObject({}),
    output: receiptKeySet,
  }),
};
