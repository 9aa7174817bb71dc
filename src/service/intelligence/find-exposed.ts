import type * as z from 'zod';
import type { intelligence } from '../../procedures/intelligence.js';
import { loadVulnerabilityGroup } from '../alerts/vulnerability-group.js';
import type { Context, Handlers } from '../api/handler.js';
import type { Scope } from '../db/scope.js';
import { answerPage, asOf, withItems } from '../http/page.js';
import { listScope } from '../projects/list-scope.js';
import type { ReceiptSigner } from '../receipts/signer.js';
import { withReceipt } from '../receipts/with-receipt.js';
import { exposedCoverage } from './exposed-coverage.js';
import { countExposed, exposedPlaces, loadExposed } from './exposed-rows.js';

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

async function answerIn(ctx: Context, scope: Scope, input: Question) {
  const { tx, now } = ctx;
  const group = await loadVulnerabilityGroup(tx, input.cve);
  // A row from before `since` is not listed; it still makes the caller affected.
  const counts = await countExposed(tx, scope, group, {});
  const listed = input.since === undefined ? counts : await countExposed(tx, scope, group, input);
  const total = Object.values(listed).reduce((sum, { all }) => sum + all, 0);
  const [as_of, rows] = await Promise.all([asOf(ctx, input), exposedPlaces(tx, scope, group, input)]);
  const page = answerPage(ctx, input, { as_of, total, rows });
  const items = await loadExposed(tx, scope, page.items);
  const coverage = await exposedCoverage(tx, { scope, asked: input.cve, group, counts, now });
  return { ...withItems(page, items), coverage };
}
