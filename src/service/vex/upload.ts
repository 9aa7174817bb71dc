import { type Context, type Handlers, inOneTransaction } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import { invalidField } from '../http/api-error.js';
import { findProject, type ProjectKey, requireProjectLock } from '../projects/find-project.js';
import { contentHash } from './content-hash.js';
import { type DocumentRow, documentsOfAuthor, isIssuedAfter, isNewerVersion, isVersionOf } from './known-documents.js';
import { loadNamedAlerts } from './load-alerts.js';
import { matchStatements } from './match.js';
import { type PreparedRow, prepareRows } from './prepare-rows.js';
import { projectNames } from './project-names.js';
import { toDocument } from './proposal-row.js';
import { readVex } from './read-vex.js';
import { receiptOf } from './receipt.js';
import { indexRows } from './row-index.js';
import type { VexDocument } from './statement.js';
import { supersede, writeProposals } from './write-proposals.js';

interface Upload {
  readonly projectId: string;
  /** The document's name for the project, as the uploader says. */
  readonly product: string | null;
  readonly document: VexDocument;
  readonly hash: Buffer;
  readonly rows: readonly PreparedRow[];
}

/** Reads a document without a transaction; then its statements become proposals in one. No verdict changes. */
export const uploadVex: Handlers['vex']['upload'] = {
  async read({ project_id, product, document: given }) {
    const document = await readVex(given);
    if (document === null) throw invalidField('document', 'not_vex');
    const [hash, rows] = [await contentHash(given), await prepareRows(document)];
    const upload: Upload = { projectId: project_id, product: product ?? null, document, hash, rows };
    return inOneTransaction((ctx) => store(ctx, upload));
  },
};

async function store(ctx: Context, { projectId, product, document, hash, rows }: Upload) {
  const key = await requireProjectLock(ctx, projectId);
  const project = await findProject(ctx, projectId);
  const { row, duplicate } = await keepDocument(ctx, key, document, hash);
  const siblings = (await documentsOfAuthor(ctx.tx, key, document)).filter(({ id }) => id !== row.id);
  const replaced = siblings.find((other) => isVersionOf(other, document) && isNewerVersion(other, row));
  if (replaced !== undefined) {
    const outdated = `a newer version${replaced.version === null ? '' : ` (${replaced.version})`} of this document is here`;
    const receipt = receiptOf(document, () => ({ skipped: outdated }));
    return { document: toDocument(row), duplicate, proposals: { created: 0, unchanged: 0, superseded: 0 }, receipt };
  }
  const named = new Set(rows.flatMap(({ ids }) => ids));
  const alerts = await loadNamedAlerts(ctx.tx, key, (id) => named.has(id));
  const { rowsOf, untargeted } = indexRows(rows, projectNames(project, product, alerts));
  const matching = matchStatements(alerts, rowsOf);
  const superseded = duplicate ? 0 : await supersedeOlder(ctx, key, row, siblings, [...matching.mentioned]);
  const written = await writeProposals(ctx, key, row, document, matching.proposed);
  const alertNames = new Set(alerts.flatMap(({ names }) => [...names.keys()]));
  const receipt = receiptOf(document, (statement) => {
    const outcome = matching.outcomes.get(statement);
    if (outcome === 'taken') return written.repeated.has(statement) ? 'merged' : 'taken';
    if (outcome !== undefined) return outcome;
    if (!statement.ids.some((id) => alertNames.has(id.toLowerCase()))) {
      return { skipped: `${statement.ids[0] ?? 'its vulnerability'} is on none of the project’s alerts` };
    }
    return { skipped: untargeted.get(statement) ?? 'is of another package than the alerts on this vulnerability' };
  });
  const proposals = { created: written.created, unchanged: written.unchanged, superseded };
  if (!duplicate || written.created > 0) {
    const { format, name, version, author } = document;
    await ctx.audit({
      action: 'vex.upload',
      target: { kind: 'project', id: projectId },
      after: { document_id: row.id, format, name, version, author, ...proposals },
    });
  }
  return { document: toDocument(row), duplicate, proposals, receipt };
}

/** The document's row: the one that is there, where this very content was uploaded before. */
async function keepDocument(
  { tx, caller, now }: Context,
  key: ProjectKey,
  { format, name, version, author, issuedAt }: VexDocument,
  content_hash: Buffer,
): Promise<{ readonly row: DocumentRow; readonly duplicate: boolean }> {
  const known = await tx
    .selectFrom('vex_documents')
    .selectAll()
    .where(inScope(key))
    .where('content_hash', '=', content_hash)
    .executeTakeFirst();
  if (known !== undefined) return { row: known, duplicate: true };
  const row = await tx
    .insertInto('vex_documents')
    .values({
      organisation_id: key.organisationId,
      id: newId('vex'),
      project_id: key.projectId,
      ...{ format, name, version, author, content_hash },
      issued_at: issuedAt,
      uploaded_by: caller.name,
      uploaded_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, duplicate: false };
}

/**
 * Supersedes pending proposals: all of older versions of the same document, and of the author's older documents those on
 * verdicts that this one speaks of too.
 */
async function supersedeOlder(
  { tx }: Context,
  key: ProjectKey,
  row: DocumentRow,
  siblings: readonly DocumentRow[],
  mentioned: readonly string[],
): Promise<number> {
  const older = siblings.filter((other) => !isIssuedAfter(other, row));
  const versions = siblings.filter((other) => isVersionOf(other, row)).map(({ id }) => id);
  const others = older.map(({ id }) => id).filter((id) => !versions.includes(id));
  return (await supersede(tx, key, versions, null)) + (await supersede(tx, key, others, mentioned));
}
