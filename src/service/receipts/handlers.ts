import type { Handlers } from '../api/handler.js';
import { listReceiptKeys } from './signing-key.js';

export const receiptHandlers: Handlers['receipts'] = {
  getKeys: async ({ system }) => ({ keys: await system(listReceiptKeys) }),
};
