import { sql } from 'kysely';
import type { Context } from '../api/handler.js';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { DocumentRow } from './known-documents.js';
import type { Proposed } from './match.js';
import { reasonOf } from './reason.js';
import type { VexDocument, VexStatement } from './statement.js';

interface Written {
  readonly created: number;
  /** Proposals that are there already, in whatever state. */
  readonly unchanged: number;
  /** Statements whose only proposals were made by another document in the same words. */
  readonly repeated: ReadonlySet<VexStatement>;
}

/**
 * Writes the proposals that are not there yet. One that the same author made in the same words by another document is not
 * repeated, whether it is pending or a member has decided it.
 */
export async function writeProposals(
  { tx, now }: Context,
  key: ProjectKey,
  document: DocumentRow,
  source: VexDocument,
  proposed: readonly Proposed[],
): Promise<Written> {
  const known = await knownProposals(tx, key, document, proposed);
  const isFromHere = new Set(known.filter((each) => each.document_id === document.id).map(slotOf));
  const words = new Set(known.filter(({ state }) => state !== 'superseded').map(wordsOf));
  const made = proposed.flatMap(({ alert, verdict, row: { statement } }) =>
    alert.verdictId === null ? [] : [{ ...factsOf(statement), statement, verdict_id: alert.verdictId, verdict }],
  );
  const fresh = made.filter((each) => !isFromHere.has(slotOf(each)) && !words.has(wordsOf(each)));
  if (fresh.length > 0) {
    const rows = fresh.map(({ statement, ...columns }) => ({
      ...columns,
      id: newId('vpr'),
      reason: reasonOf(statement, source),
    }));
    await sql`
      insert into vex_proposals (organisation_id, project_id, document_id, state, created_at, id, verdict_id, verdict, reason,
        status, product, justification, detail, pointer)
      select ${key.organisationId}, ${key.projectId}, ${document.id}, 'pending', ${now}::timestamptz, id, verdict_id, verdict,
        reason, status, product, justification, detail, pointer
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, verdict_id text, verdict text, reason text,
        status text, product text, justification text, detail text, pointer text)`.execute(tx);
  }
  const kept = new Set(
    made.filter((each) => fresh.includes(each) || isFromHere.has(slotOf(each))).map(({ statement }) => statement),
  );
  const repeated = new Set(made.map(({ statement }) => statement).filter((statement) => !kept.has(statement)));
  return { created: fresh.length, unchanged: made.length - fresh.length, repeated };
}

interface Slot {
  readonly verdict_id: string;
  readonly verdict: string;
}

/** One document proposes the same for a verdict once. */
function slotOf({ verdict_id, verdict }: Slot): string {
  return `${verdict_id} ${verdict}`;
}

interface Words extends Slot {
  readonly product: string;
  readonly justification: string | null;
  readonly detail: string | null;
}

function wordsOf({ verdict_id, verdict, product, justification, detail }: Words): string {
  return JSON.stringify([verdict_id, verdict, product, justification, detail]);
}

function factsOf({ status, product, component, justification, detail, pointer }: VexStatement) {
  const name = component === null ? product.label : `${component.label} in ${product.label}`;
  return { status, product: name, justification, detail, pointer };
}

/** Proposals of this author on these verdicts; without an author, of this document alone. */
async function knownProposals(tx: Transaction, key: ProjectKey, document: DocumentRow, proposed: readonly Proposed[]) {
  const verdicts = [...new Set(proposed.flatMap(({ alert }) => alert.verdictId ?? []))];
  if (verdicts.length === 0) return [];
  return tx
    .selectFrom('vex_proposals')
    .innerJoin('vex_documents', (join) =>
      join
        .onRef('vex_documents.organisation_id', '=', 'vex_proposals.organisation_id')
        .onRef('vex_documents.id', '=', 'vex_proposals.document_id'),
    )
    .select(['vex_proposals.document_id', 'vex_proposals.verdict_id', 'vex_proposals.verdict', 'vex_proposals.state'])
    .select(['vex_proposals.product', 'vex_proposals.justification', 'vex_proposals.detail'])
    .where(inScope(key, 'vex_proposals'))
    .where(sql<boolean>`vex_proposals.verdict_id = any (${verdicts}::text[])`)
    .where((e) =>
      e.or([
        e('vex_documents.id', '=', document.id),
        ...(document.author === null ? [] : [e('vex_documents.author', '=', document.author)]),
      ]),
    )
    .execute();
}

/** Supersedes pending proposals of the documents; `verdicts` null: on any verdict. Returns how many. */
export async function supersede(
  tx: Transaction,
  key: ProjectKey,
  documents: readonly string[],
  verdicts: readonly string[] | null,
): Promise<number> {
  if (documents.length === 0 || verdicts?.length === 0) return 0;
  const { numUpdatedRows } = await tx
    .updateTable('vex_proposals')
    .set({ state: 'superseded' })
    .where(inScope(key))
    .where('state', '=', 'pending')
    .where(sql<boolean>`document_id = any (${[...documents]}::text[])`)
    .$if(verdicts !== null, (query) => query.where(sql<boolean>`verdict_id = any (${[...(verdicts ?? [])]}::text[])`))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
