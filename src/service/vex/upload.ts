import type * as z from 'zod';
import type { vex } from '../../procedures/vex.js';
import type { Context, Handlers, LandingContext } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { inScope } from '../db/scope.js';
import { invalidField } from '../http/api-error.js';
import type { Landing } from '../landing/landing.js';
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
import { type OlderDocuments, supersede, writeProposals } from './write-proposals.js';

interface Upload {
  readonly projectId: string;
  /** The document's name for the project, as the uploader says. */
  readonly product: string | null;
  readonly document: VexDocument;
  readonly hash: Buffer;
  readonly rows: readonly PreparedRow[];
}

type Answer = z.output<typeof vex.upload.output>;

/** Reads a document without a transaction; then its statements become proposals, which land together. No verdict changes. */
export const uploadVex: Handlers['vex']['upload'] = {
  async read({ project_id, product, document: given }) {
    const document = await readVex(given);
    if (document === null) throw invalidField('document', 'not_vex');
    const [hash, rows] = [await contentHash(given), await prepareRows(document)];
    const upload: Upload = { projectId: project_id, product: product ?? null, document, hash, rows };
    return (ctx) => store(ctx, upload);
  },
};

async function store(
  { landing, within, organisationId, now }: LandingContext<Answer>,
  { projectId, product, document, hash, rows }: Upload,
): Promise<Answer> {
  const key = { organisationId, projectId };
  const step: Landing<never>['step'] = (work) => landing.step(work);
  const { project, row, duplicate, siblings } = await step((tx) => keep(within(tx), key, document, hash));
  const replaced = siblings.find((other) => isVersionOf(other, document) && isNewerVersion(other, row));
  if (replaced !== undefined) {
    const outdated = `a newer version${replaced.version === null ? '' : ` (${replaced.version})`} of this document is here`;
    const receipt = receiptOf(document, () => ({ skipped: outdated }));
    const proposals = { created: 0, unchanged: 0, superseded: 0 };
    return landing.finish(async () => ({ document: toDocument(row), duplicate, proposals, receipt }));
  }
  const named = new Set(rows.flatMap(({ ids }) => ids));
  const alerts = await loadNamedAlerts(step, key, (id) => named.has(id));
  const { rowsOf, untargeted } = indexRows(rows, projectNames(project, product, alerts));
  const matching = matchStatements(alerts, rowsOf);
  const older = duplicate ? noneOlder : olderDocuments(row, siblings);
  const written = await writeProposals(step, key, { row, source: document, older }, matching.proposed, now);
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
  return landing.finish(async (tx) => {
    const superseded =
      (await supersede(tx, key, older.versions, null)) +
      (await supersede(tx, key, older.others, [...matching.mentioned]));
    const proposals = { created: written.created, unchanged: written.unchanged, superseded };
    if (!duplicate || written.created > 0) {
      const { format, name, version, author } = document;
      await within(tx).audit({
        action: 'vex.upload',
        target: { kind: 'project', id: projectId },
        after: { document_id: row.id, format, name, version, author, ...proposals },
      });
    }
    return { document: toDocument(row), duplicate, proposals, receipt };
  });
}

/** The project, and the document among those of its author. */
async function keep(ctx: Context, key: ProjectKey, document: VexDocument, hash: Buffer) {
  await requireProjectLock(ctx, key.projectId);
  const project = await findProject(ctx, key.projectId);
  const kept = await keepDocument(ctx, key, document, hash);
  const siblings = await documentsOfAuthor(ctx.tx, key, document);
  return { project, ...kept, siblings: siblings.filter(({ id }) => id !== kept.row.id) };
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
 * Documents whose pending proposals this one supersedes: all of older versions of the same document, and of the author's
 * other older documents those on verdicts that this one speaks of too.
 */
function olderDocuments(row: DocumentRow, siblings: readonly DocumentRow[]): OlderDocuments {
  const older = siblings.filter((other) => !isIssuedAfter(other, row));
  const versions = siblings.filter((other) => isVersionOf(other, row)).map(({ id }) => id);
  return { versions, others: older.map(({ id }) => id).filter((id) => !versions.includes(id)) };
}

const noneOlder: OlderDocuments = { versions: [], others: [] };
