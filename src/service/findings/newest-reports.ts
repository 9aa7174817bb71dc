import { sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { ReportedFinding, Scan, Searched, Seer } from './scan.js';
import { includes } from './sightings.js';

/** The part of a source that is not divided. */
const whole = '';

interface NewestReport extends Seer {
  readonly part: string;
  /** The latest time that a report of this search carried. */
  readonly reported_at: Date;
}

/** What of a scan counts: not what a newer report, which was uploaded before, has searched too. */
export interface CurrentScan {
  readonly searched: readonly Searched[];
  readonly findings: readonly ReportedFinding[];
  /** How many of the scan's findings do not count. */
  readonly outdated: number;
}

/**
 * Leaves out what is older than the newest report of the same search, by the times that both carry. A report without a time
 * is as new as its upload.
 */
export async function currentScan(tx: Transaction, project: ProjectKey, scan: Scan): Promise<CurrentScan> {
  const { searched, findings, reportedAt } = scan;
  const newest = reportedAt === null ? [] : await newestReports(tx, project, scan, reportedAt);
  if (newest.length === 0) return { searched, findings, outdated: 0 };
  const isOutdated = (seer: Seer, part: string) =>
    newest.some((each) => each.tool === seer.tool && each.part === part && includes(each.scope, scopeOf(scan, seer)));
  const current = findings.filter(({ seer, part = whole }) => !isOutdated(seer, part));
  return {
    searched: searched.flatMap((each) => {
      const parts = (each.parts ?? [whole]).filter((part) => !isOutdated(each, part));
      return parts.length === 0 ? [] : [{ ...each, parts }];
    }),
    findings: current,
    outdated: findings.length - current.length,
  };
}

/** Reports of the scan's tools that are newer than `than`. */
async function newestReports(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  { domain, source }: Scan,
  than: Date,
): Promise<NewestReport[]> {
  return tx
    .selectFrom('newest_reports')
    .select(['tool', 'scope', 'part', 'reported_at'])
    .where(({ and }) => and({ organisation_id: organisationId, project_id: projectId, domain, source }))
    .where('reported_at', '>', than)
    .execute();
}

/** Keeps the times of scans' reports for what they have searched. */
export async function keepReportTimes(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  scans: readonly { readonly scan: Scan; readonly current: Pick<CurrentScan, 'searched'> }[],
): Promise<void> {
  const rows = scans.flatMap(({ scan, current: { searched } }) => {
    const { domain, source, reportedAt: reported_at } = scan;
    if (reported_at === null) return [];
    return searched.flatMap((each) =>
      (each.parts ?? [whole]).map((part) => {
        return { domain, source, tool: each.tool, scope: scopeOf(scan, each), part, reported_at };
      }),
    );
  });
  if (rows.length === 0) return;
  await sql`
    insert into newest_reports (organisation_id, project_id, domain, source, tool, scope, part, reported_at)
    select ${organisationId}, ${projectId}, domain, source, tool, scope, part, max(reported_at)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (domain text, source text, tool text, scope text[], part text, reported_at timestamptz)
    group by domain, source, tool, scope, part
    on conflict (organisation_id, project_id, domain, source, tool, scope, part)
      do update set reported_at = greatest(newest_reports.reported_at, excluded.reported_at)`.execute(tx);
}

/** Scans of another mode search for something else. */
function scopeOf({ mode }: Scan, { scope }: Seer): string[] {
  return mode === null ? [...scope] : [...scope, `mode ${mode}`];
}
