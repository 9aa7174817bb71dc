import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import type { Landing } from '../landing/landing.js';
import { writeInSteps } from '../landing/write-in-steps.js';
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

/** Documents whose pending proposals a new one supersedes: on any verdict, and on those that it speaks of. */
export interface OlderDocuments {
  readonly versions: readonly string[];
  readonly others: readonly string[];
}

interface Source {
  readonly row: DocumentRow;
  readonly source: VexDocument;
  readonly older: OlderDocuments;
}

/**
 * Writes the proposals that are not there yet, in short steps. One that the same author made in the same words by another
 * document is not repeated, whether it is pending or a member has decided it; one that will be superseded is.
 */
export async function writeProposals(
  step: Landing<never>['step'],
  key: ProjectKey,
  document: Source,
  proposed: readonly Proposed[],
  now: Date,
): Promise<Written> {
  const made = proposed.flatMap(({ alert, verdict, row: { statement } }) =>
    alert.verdictId === null ? [] : [{ ...factsOf(statement), statement, verdict_id: alert.verdictId, verdict }],
  );
  // Sets, because a step may run again after a deadlock.
  const written = new Set<Made>();
  const kept = new Set<VexStatement>();
  await writeInSteps(step, made, async (tx, batch) => {
    const { fresh, isFromHere } = await comparedWithKnown(tx, key, document, batch);
    if (fresh.length > 0) await insert(tx, key, document, fresh, now);
    for (const each of fresh) written.add(each);
    for (const each of batch) if (isFromHere(each)) kept.add(each.statement);
    for (const each of fresh) kept.add(each.statement);
  });
  const created = written.size;
  const repeated = new Set(made.map(({ statement }) => statement).filter((statement) => !kept.has(statement)));
  return { created, unchanged: made.length - created, repeated };
}

interface Made extends Words {
  readonly statement: VexStatement;
  readonly status: VexStatement['status'];
  readonly pointer: string;
}

async function comparedWithKnown(tx: Transaction, key: ProjectKey, { row, older }: Source, made: readonly Made[]) {
  const known = await knownProposals(tx, key, row, [...new Set(made.map(({ verdict_id }) => verdict_id))]);
  const fromHere = new Set(known.filter((each) => each.document_id === row.id).map(slotOf));
  const superseded = new Set([...older.versions, ...older.others]);
  const lasting = known.filter(
    ({ state, document_id }) => state !== 'superseded' && !(state === 'pending' && superseded.has(document_id)),
  );
  const words = new Set(lasting.map(wordsOf));
  const isFromHere = (each: Made) => fromHere.has(slotOf(each));
  return { fresh: made.filter((each) => !isFromHere(each) && !words.has(wordsOf(each))), isFromHere };
}

async function insert(
  tx: Transaction,
  key: ProjectKey,
  { row, source }: Source,
  made: readonly Made[],
  now: Date,
): Promise<void> {
  const rows = made.map(({ statement, ...columns }) => ({
    ...columns,
    id: newId('vpr'),
    reason: reasonOf(statement, source),
  }));
  await sql`
    insert into vex_proposals (organisation_id, project_id, document_id, state, created_at, id, verdict_id, verdict, reason,
      status, product, justification, detail, pointer)
    select ${key.organisationId}, ${key.projectId}, ${row.id}, 'pending', ${now}::timestamptz, id, verdict_id, verdict,
      reason, status, product, justification, detail, pointer
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, verdict_id text, verdict text, reason text,
      status text, product text, justification text, detail text, pointer text)`.execute(tx);
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
async function knownProposals(tx: Transaction, key: ProjectKey, document: DocumentRow, verdicts: readonly string[]) {
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
    .where(sql<boolean>`vex_proposals.verdict_id = any (${[...verdicts]}::text[])`)
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
