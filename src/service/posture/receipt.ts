import { domains } from '../../procedures/risk.js';
import type { Handlers } from '../api/handler.js';
import { countFindings } from '../counts/finding-counts.js';
import { domainCoverage, toCoverage } from '../coverage/coverage.js';
import type { ReceiptSigner } from '../receipts/signer.js';
import { withReceipt } from '../receipts/with-receipt.js';
import { inScopeOf } from './scope.js';

/** A receipt of what the posture's domains say together. */
export function postureReceipt(signer: ReceiptSigner): Handlers['posture']['getReceipt'] {
  return (ctx, input) =>
    inScopeOf(ctx, input, (scope) =>
      withReceipt(signer, ctx, { procedure: 'posture.getReceipt', input, scope }, async () => {
        const parts = await Promise.all(
          domains.map((domain) =>
            domainCoverage(ctx.tx, { scope, domain }, ctx.now, countFindings(ctx.tx, scope, domain)),
          ),
        );
        const coverage = toCoverage({
          domains: parts.flatMap((part) => part.domains),
          feeds: parts.flatMap((part) => part.feeds),
          known: parts.some(({ known }) => known),
          gaps: parts.flatMap(({ gaps }) => gaps),
        });
        return { coverage };
      }),
    );
}
