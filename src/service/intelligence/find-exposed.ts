import type * as z from 'zod';
import type { intelligence } from '../../procedures/intelligence.js';
import type { Context, Handlers } from '../api/handler.js';
import type { Scope } from '../db/scope.js';
import { pageAnswer } from '../http/page.js';
import { listScope } from '../projects/list-scope.js';
import type { ReceiptSigner } from '../receipts/signer.js';
import { withReceipt } from '../receipts/with-receipt.js';
import { exposedCoverage } from './exposed-coverage.js';
import { countExposed, listExposed } from './exposed-rows.js';
import { loadVulnerabilityGroup } from './vulnerability-group.js';

type Question = z.output<typeof intelligence.findExposed.input>;

/** All alerts and findings of the organisation about a vulnerability, and what stands behind there being none. */
export function findExposed(receipts: ReceiptSigner): Handlers['intelligence']['findExposed'] {
  return async (ctx, input) => {
    const scope = await listScope(ctx, { group: input.group });
    const answer = () => answerIn(ctx, scope, input);
    if (input.receipt !== true) return answer();
    return withReceipt(receipts, ctx, { procedure: 'intelligence.findExposed', input, scope }, answer);
  };
}

async function answerIn({ tx, now }: Context, scope: Scope, input: Question) {
  const group = await loadVulnerabilityGroup(tx, input.cve);
  const counts = await countExposed(tx, scope, group);
  const total = Object.values(counts).reduce((sum, { all }) => sum + all, 0);
  const items = await listExposed(tx, scope, group, input);
  const coverage = await exposedCoverage(tx, { scope, asked: input.cve, group, counts, now });
  return { ...pageAnswer(input, total, items), coverage };
}
