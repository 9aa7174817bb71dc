import { sql } from 'kysely';
import { shareIntelligence } from '../alerts/intelligence-lock.js';
import type { Database, Transaction } from '../db/database.js';
import { isLanded } from '../db/scope.js';
import type { FindingRow } from '../findings/finding-row.js';
import { Pace } from '../jobs/pace.js';
import { inPages, readPages, whenFree } from '../jobs/pages.js';
import { lockProject } from '../projects/find-project.js';
import { evaluate, type Intelligence, loadIntelligence } from './exploitation.js';
import { findingDetails } from './finding-details.js';
import type { ImageRow } from './image-row.js';

export type ImageName = Pick<ImageRow, 'organisation_id' | 'project_id' | 'ref'>;
type EvaluatedRow = Pick<FindingRow, 'id' | 'rule_id' | 'severity' | 'tier' | 'cve' | 'epss' | 'kev_added' | 'details'>;

/** Findings that one transaction evaluates. One has some kilobytes of details. */
export const findingRows = { first: 200, most: 1_000, least: 50 };
const imageRows = { first: 500 };

/**
 * Brings severity, tier, EPSS and KEV of the open findings of every monitored image up to date after intelligence has changed, in
 * short transactions, each bound to its organisation. Returns how many findings changed. Safe to repeat.
 */
export async function reevaluateMonitoredImages(database: Database): Promise<number> {
  const pace = new Pace(findingRows);
  let changed = 0;
  for await (const images of readPages((work) => database.system(work), imageRows, readMonitored)) {
    for (const image of images) {
      const transact = whenFree((work) => database.tenant(image.organisation_id, work));
      const evaluate = (tx: Transaction, before: Reevaluated | undefined, rows: number) =>
        reevaluateNext(tx, image, before?.next ?? '', rows);
      for await (const page of inPages(transact, pace, evaluate)) changed += page.changed;
    }
  }
  return changed;
}

/** Monitored images of all organisations: only the system role can read them. */
function readMonitored(tx: Transaction, after: ImageName | undefined, limit: number): Promise<ImageName[]> {
  return tx
    .selectFrom('container_images')
    .select(['organisation_id', 'project_id', 'ref'])
    .where('monitored', '=', true)
    .where(isLanded('container_images'))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(organisation_id, project_id, ref)
          > (${after?.organisation_id ?? ''}, ${after?.project_id ?? ''}, ${after?.ref ?? ''})`,
      ),
    )
    .orderBy('organisation_id')
    .orderBy('project_id')
    .orderBy('ref')
    .limit(limit)
    .execute();
}

export interface Reevaluated {
  readonly changed: number;
  /** The last finding; undefined after all. */
  readonly next: string | undefined;
}

/** The next findings of an image. Scans of its project wait: what is written here was read before them. */
export async function reevaluateNext(
  tx: Transaction,
  image: ImageName,
  after: string,
  limit: number,
): Promise<Reevaluated> {
  await lockProject(tx, { organisationId: image.organisation_id, projectId: image.project_id });
  await shareIntelligence(tx);
  const rows = await readOpen(tx, image, after, limit);
  const named = rows.map((row) => ({ id: row.rule_id, cves: findingDetails.parse(row.details).cves }));
  const intelligence = await loadIntelligence(tx, named);
  const changedRows = rows.flatMap((row) => reevaluated(row, intelligence));
  await write(tx, image, changedRows);
  return { changed: changedRows.length, next: rows.length === limit ? rows.at(-1)?.id : undefined };
}

function readOpen(
  tx: Transaction,
  { organisation_id, project_id, ref }: ImageName,
  after: string,
  limit: number,
): Promise<EvaluatedRow[]> {
  return tx
    .selectFrom('findings')
    .select(['id', 'rule_id', 'severity', 'tier', 'cve', 'epss', 'kev_added', 'details'])
    .where(({ and }) => and({ organisation_id, project_id, domain: 'containers', source: ref, state_rank: 0 }))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The finding with its new evaluation; empty where nothing changed. */
function reevaluated(row: EvaluatedRow, intelligence: Intelligence): EvaluatedRow[] {
  const before = findingDetails.parse(row.details);
  const { epssDetails, kev, ...columns } = evaluate(row.rule_id, before, intelligence);
  const after = { ...row, ...columns, details: { ...before, epss: epssDetails, kev } };
  return evaluationText({ ...row, details: before }) === evaluationText(after) ? [] : [after];
}

function evaluationText({ severity, tier, cve, epss, kev_added, details }: EvaluatedRow): string {
  const { epss: score, kev } = findingDetails.parse(details);
  const feeds = [cve, epss, kev_added, score?.percentile, score?.date, kev?.due_date, kev?.ransomware];
  return JSON.stringify([severity, tier, ...feeds]);
}

async function write(tx: Transaction, { organisation_id }: ImageName, rows: readonly EvaluatedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update findings set severity = given.severity, tier = given.tier, cve = given.cve, epss = given.epss, kev_added = given.kev_added,
      details = given.details, facts_hash = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      id text, severity text, tier text, cve text, epss double precision, kev_added date, details jsonb
    )
    where findings.organisation_id = ${organisation_id} and findings.id = given.id`.execute(tx);
}
