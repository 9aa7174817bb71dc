import { sql } from 'kysely';
import { countFindings, totalOf } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { isListed } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { offsetOf } from '../http/page.js';
import type { FindingRow } from './finding-row.js';
import { withConfirmations } from './last-reports.js';

interface FindingsFilter extends Pick<FindingRow, 'domain'> {
  /** Undefined: all projects. */
  readonly project_id?: string | undefined;
  /** This finding alone, whatever its state. */
  readonly finding_id?: string | undefined;
  readonly state: 'open' | 'fixed' | 'all';
  readonly severity?: FindingRow['severity'] | undefined;
  /** As in `findings.source`. */
  readonly source?: string | undefined;
  readonly page: number;
  readonly page_size: number;
}

/** Values of the generated column `state_rank`: the index has it, but not the state. */
const stateRanks = { open: 0, fixed: 2 } as const;

/**
 * One page: open ones first, the worst first. The order is that of the indexes `findings_worst_first`, and
 * `findings_of_all` over all projects.
 *
 * @param among the projects that can have any; undefined: not known
 */
export function findingsPage(
  tx: Transaction,
  organisationId: string,
  filter: FindingsFilter,
  among?: readonly string[],
) {
  const { project_id: projectId, domain, state, severity, source } = filter;
  return tx
    .selectFrom('findings')
    .selectAll()
    .where(isListed({ organisationId, projectId }))
    .where('domain', '=', domain)
    .$if(among !== undefined, (query) => query.where(sql<boolean>`project_id = any (${among}::text[])`))
    .$if(state !== 'all', (query) => query.where('state_rank', '=', stateRanks[state === 'fixed' ? 'fixed' : 'open']))
    .$if(severity !== undefined, (query) => query.where('severity', '=', severity ?? 'info'))
    .$if(source !== undefined, (query) => query.where(isOfSource(source ?? '')))
    .orderBy('state_rank')
    .orderBy(sql`(kev_added is null)`)
    .orderBy('tier_rank')
    .orderBy('probability', 'desc')
    .orderBy('severity_rank')
    .orderBy('sort_name')
    .orderBy('id')
    .limit(filter.page_size)
    .offset(offsetOf(filter));
}

/** The index has the source's hash: a source may be too long for it. */
function isOfSource(source: string) {
  return sql<boolean>`md5(source) = md5(${source}) and source = ${source}`;
}

/** How many findings pass the filter, by the counts that the database keeps, and that page of them. */
export async function listFindings(tx: Transaction, organisationId: string, filter: FindingsFilter) {
  if (filter.finding_id !== undefined) return findOne(tx, organisationId, filter, filter.finding_id);
  const { project_id: projectId, domain, source, state, severity } = filter;
  const among = projectId === undefined ? await projectsWith(tx, organisationId, domain, source) : undefined;
  const [one, ...others] = among ?? [];
  // Within one project an index has the order of a source.
  const page =
    one !== undefined && others.length === 0
      ? findingsPage(tx, organisationId, { ...filter, project_id: one })
      : findingsPage(tx, organisationId, filter, among);
  const [counts, rows] = await Promise.all([
    countFindings(tx, { organisationId, projectId }, domain, source),
    page.execute(),
  ]);
  const total = totalOf(
    counts,
    (kind) => (state === 'all' || kind.state === state) && (severity === undefined || kind.severity === severity),
  );
  return { total, rows: await withConfirmations(tx, organisationId, rows) };
}

/** The projects with findings of a source; undefined where no source is asked for. */
async function projectsWith(
  tx: Transaction,
  organisationId: string,
  domain: FindingRow['domain'],
  source: string | undefined,
): Promise<string[] | undefined> {
  if (source === undefined) return undefined;
  const rows = await tx
    .selectFrom('posture_counts')
    .select('project_id')
    .distinct()
    .where(({ and }) => and({ organisation_id: organisationId, domain, source }))
    .execute();
  return rows.map(({ project_id }) => project_id);
}

/** One finding as a list, or 404. */
async function findOne(
  tx: Transaction,
  organisationId: string,
  { project_id: projectId, domain }: FindingsFilter,
  id: string,
) {
  const row = await tx
    .selectFrom('findings')
    .selectAll()
    .where(isListed({ organisationId, projectId }))
    .where(({ and }) => and({ domain, id }))
    .executeTakeFirstOrThrow(() => notFound('finding'));
  return { total: 1, rows: await withConfirmations(tx, organisationId, [row]) };
}
