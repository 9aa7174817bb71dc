import { sql } from 'kysely';
import { countFindings, type FindingCount, isOpen, totalOf } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { newSortableId } from '../db/ids.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { Scan, ScanResult } from './scan.js';

type Tiers = ScanResult['tiers'];

/** Separates the names of a job's tools; no tool's name has a comma (`toolName` of the scanners). */
const separator = ', ';

/** All tools of a scan, complete or not. */
export function toolsOf({ searched, findings }: Pick<Scan, 'searched' | 'findings'>): string[] {
  return [...new Set([...searched.map(({ tool }) => tool), ...findings.map(({ seer }) => seer.tool)])].sort();
}

/** A job's tools as its one text. */
function toolsText(scan: Scan): string {
  return toolsOf(scan).join(separator);
}

/**
 * The newest scan of the source by any of these tools, if it was by exactly these tools, in this mode, and had this content;
 * undefined otherwise.
 */
export async function findSameScan(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  scan: Scan,
): Promise<string | undefined> {
  const { domain, source, mode, contentHash } = scan;
  const newest = await tx
    .selectFrom('scan_jobs')
    .select(['id', 'tool', 'mode', 'content_hash'])
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, domain, source }))
    .where(({ and }) => and({ hosted: false, status: 'done' }))
    .where(sql<boolean>`string_to_array(tool, ${separator}) && ${toolsOf(scan)}::text[]`)
    .orderBy('queued_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined || newest.tool !== toolsText(scan) || newest.mode !== mode) return undefined;
  return newest.content_hash?.equals(contentHash) === true ? newest.id : undefined;
}

/** Open findings of a source by tier, whatever tool found them. */
export async function openTiers(tx: Transaction, project: ProjectKey, { domain, source }: Scan): Promise<Tiers> {
  const counts = await countFindings(tx, project, domain, source);
  const countOf = (tier: FindingCount['tier']) => totalOf(counts, (kind) => isOpen(kind) && kind.tier === tier);
  return { red: countOf('RED'), yellow: countOf('YELLOW'), green: countOf('GREEN') };
}

export function newJobId(): string {
  return newSortableId('job');
}

/** Keeps scans as finished jobs. */
export async function writeDoneJobs(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  scans: readonly { readonly scan: Scan; readonly result: Pick<ScanResult, 'scan_job_id' | 'tiers'> }[],
  now: Date,
): Promise<void> {
  const rows = scans.map(({ scan, result: { scan_job_id, tiers } }) => {
    const { domain, source, mode, contentHash: content_hash, startedAt: started_at } = scan;
    const job = { domain, source, mode, tool: toolsText(scan), content_hash, ...tiers, started_at };
    const times = { queued_at: now, finished_at: now };
    return {
      organisation_id: organisationId,
      id: scan_job_id,
      project_id: projectId,
      status: 'done',
      ...job,
      ...times,
    } as const;
  });
  await tx.insertInto('scan_jobs').values(rows).execute();
}

/** Finishes the hosted job that a scan is the result of. Its handler has checked that it is running. */
export async function finishHostedJob(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  id: string,
  scan: Scan,
  tiers: Tiers,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('scan_jobs')
    .set({ status: 'done', tool: toolsText(scan), content_hash: scan.contentHash, ...tiers, finished_at: now })
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, hosted: true, id }))
    .execute();
}
