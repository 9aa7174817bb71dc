import { sql } from 'kysely';
import type * as z from 'zod';
import type { vex } from '../../procedures/vex.js';
import { packageRefOf } from '../alerts/alert-row.js';
import type { Transaction } from '../db/database.js';
import { inScope, refersTo } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { DocumentRow } from './known-documents.js';

export type Proposal = z.output<typeof vex.accept.output>;

/** The project's proposals with what they are about, each document as JSON. */
export function proposalsOf(tx: Transaction, key: ProjectKey) {
  return tx
    .selectFrom('vex_proposals')
    .innerJoin('vex_documents', (join) => join.on(refersTo('vex_proposals.document_id', 'vex_documents')))
    .innerJoin('verdicts', (join) => join.on(refersTo('vex_proposals.verdict_id', 'verdicts')))
    .innerJoin('alerts', (join) => join.on(refersTo('verdicts.alert_id', 'alerts')))
    .where(inScope(key, 'vex_proposals'));
}

/** Columns of the joined tables, for `toProposal`. */
export const joinedColumns = [
  'alerts.id as alert_id',
  'alerts.vulnerability_id',
  'alerts.ecosystem',
  'alerts.package_name',
  'alerts.versions',
  'vex_documents.format',
  'vex_documents.name',
  'vex_documents.version',
  'vex_documents.author',
  'vex_documents.issued_at',
  'vex_documents.uploaded_at',
  'vex_documents.uploaded_by',
] as const;

type ProposalRow = Awaited<ReturnType<typeof requireProposal>>;

/** One proposal of the project, locked until the transaction ends; or 404. */
export async function requireProposal(tx: Transaction, key: ProjectKey, proposalId: string) {
  return proposalsOf(tx, key)
    .selectAll('vex_proposals')
    .select(joinedColumns)
    .where('vex_proposals.id', '=', proposalId)
    .modifyEnd(sql`for no key update of vex_proposals`)
    .executeTakeFirstOrThrow(() => notFound('proposal'));
}

/** A proposal as the API answers it. */
export function toProposal(row: ProposalRow): Proposal {
  const { decided_by: by, decided_at: at, status, product, justification, detail, pointer } = row;
  return {
    id: row.id,
    project_id: row.project_id,
    state: row.state,
    verdict_id: row.verdict_id,
    alert_id: row.alert_id,
    vulnerability_id: row.vulnerability_id,
    package: packageRefOf(row.ecosystem, row.package_name),
    versions: row.versions,
    verdict: row.verdict,
    reason: row.reason,
    statement: { status, product, justification, detail, pointer },
    document: toDocument({ ...row, id: row.document_id }),
    created_at: row.created_at,
    decided: by === null || at === null ? null : { by, at, reason: row.decision_reason },
  };
}

type DocumentColumns = Omit<DocumentRow, 'organisation_id' | 'project_id' | 'content_hash'>;

/** A document as the API answers it. */
export function toDocument(row: DocumentColumns): Proposal['document'] {
  const { id, format, name, version, author, issued_at, uploaded_at, uploaded_by } = row;
  return { id, format, name, version, author, issued_at, uploaded_at, uploaded_by };
}
