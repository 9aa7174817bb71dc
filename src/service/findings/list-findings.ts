import { sql } from 'kysely';
import { countFindings, totalOf } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { inScope, isListed, type Scope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { offsetOf } from '../http/page.js';
import type { FindingRow } from './finding-row.js';
import { withConfirmations } from './last-reports.js';

interface FindingsFilter extends Pick<FindingRow, 'domain'> {
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
 * `findings_of_all` over all projects, each in its own words (0025).
 */
export function findingsPage(tx: Transaction, scope: Scope, filter: FindingsFilter) {
  const { domain, state, severity, source } = filter;
  return tx
    .selectFrom('findings')
    .selectAll()
    .where(isListed(scope))
    .where('domain', '=', domain)
    .$if(state !== 'all', (query) => query.where('state_rank', '=', stateRanks[state === 'fixed' ? 'fixed' : 'open']))
    .$if(severity !== undefined, (query) => query.where('severity', '=', severity ?? 'info'))
    .$if(source !== undefined, (query) => query.where(isOfSource(source ?? '')))
    .orderBy('state_rank')
    .orderBy(scope.projectId === undefined ? sql`(kev_added is not null) desc` : sql`(kev_added is null)`)
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
export async function listFindings(tx: Transaction, scope: Scope, filter: FindingsFilter) {
  const { domain, source, state, severity, finding_id } = filter;
  if (finding_id !== undefined) return findOne(tx, scope, domain, finding_id);
  const searched = source === undefined ? scope : await projectsWith(tx, scope, domain, source);
  const [counts, rows] = await Promise.all([
    countFindings(tx, searched, domain, source),
    findingsPage(tx, searched, filter).execute(),
  ]);
  const total = totalOf(
    counts,
    (kind) => (state === 'all' || kind.state === state) && (severity === undefined || kind.severity === severity),
  );
  return { total, rows: await withConfirmations(tx, scope.organisationId, rows) };
}

/** The scope without projects that have no findings of a source: within one project an index has their order. */
async function projectsWith(
  tx: Transaction,
  scope: Scope,
  domain: FindingRow['domain'],
  source: string,
): Promise<Scope> {
  if (scope.projectId !== undefined) return scope;
  const rows = await tx
    .selectFrom('posture_counts')
    .select('project_id')
    .distinct()
    .where(inScope(scope))
    .where(({ and }) => and({ domain, source }))
    .execute();
  const among = rows.map(({ project_id }) => project_id);
  const { organisationId } = scope;
  return among.length === 1 ? { organisationId, projectId: among[0] } : { organisationId, among };
}

/** One finding as a list, or 404. */
async function findOne(tx: Transaction, scope: Scope, domain: FindingRow['domain'], id: string) {
  const row = await tx
    .selectFrom('findings')
    .selectAll()
    .where(isListed(scope))
    .where(({ and }) => and({ domain, id }))
    .executeTakeFirstOrThrow(() => notFound('finding'));
  return { total: 1, rows: await withConfirmations(tx, scope.organisationId, [row]) };
}
