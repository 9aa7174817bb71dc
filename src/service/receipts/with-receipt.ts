import { isDeepStrictEqual } from 'node:util';
import type { Coverage } from '../../procedures/coverage.js';
import type { ReceiptStatement } from '../../procedures/signed-receipt.js';
import type { Context } from '../api/handler.js';
import { tenantOf } from '../auth/caller.js';
import type { Scope } from '../db/scope.js';
import { behind, readEvidence } from './evidence.js';
import type { ReceiptSigner } from './signer.js';

interface Asked {
  /** As `intelligence.checkPackage`. */
  readonly procedure: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The projects that the question is about; null where it is about none. */
  readonly scope: Scope | null;
}

type Signed = { readonly receipt: string } | { readonly receipt: null; readonly no_receipt: string };

/**
 * An answer, and a receipt where it is `not_affected`; else why it has none. The evidence is read before and after: on a server each
 * statement of a read sees what is there then, and a receipt must name what its answer was made from.
 */
export async function withReceipt<Answer extends { readonly coverage: Coverage }>(
  signer: ReceiptSigner,
  ctx: Context,
  { procedure, input, scope }: Asked,
  answer: () => Promise<Answer>,
): Promise<Answer & Signed> {
  const { tx, now, organisationId } = ctx;
  const before = await readEvidence(tx, scope);
  const answered = await answer();
  const { coverage } = answered;
  const reason = refusalOf(coverage);
  if (reason !== null) return { ...answered, receipt: null, no_receipt: reason };
  if (!isDeepStrictEqual(before, await readEvidence(tx, scope)))
    return { ...answered, receipt: null, no_receipt: 'feeds or sources changed meanwhile: ask again' };
  const statement = {
    question: { procedure, input: questionOf(input) },
    coverage,
    sees_only: seesOnly(ctx),
    ...behind(coverage, before),
  };
  return { ...answered, receipt: await signer.sign(statement, { organisationId, now }) };
}

function refusalOf({ status }: Coverage): string | null {
  if (status === 'not_affected') return null;
  const why = status === 'affected' ? 'something is affected' : 'it is unknown: coverage.gaps says why';
  return `${why}; only not_affected is signed`;
}

/** The input without what chooses rows and form of the answer, which the coverage does not depend on. */
function questionOf(input: Asked['input']): Record<string, unknown> {
  const form = new Set(['receipt', 'page', 'page_size', 'cursor', 'cursors', 'since']);
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => !form.has(name) && value !== undefined));
}

function seesOnly({ caller }: Context): ReceiptStatement['sees_only'] {
  const { projectIds, groupIds } = tenantOf(caller);
  if (projectIds === null && groupIds === undefined) return null;
  return {
    projects: projectIds === null ? null : [...projectIds],
    groups: groupIds === undefined ? null : [...groupIds],
  };
}
