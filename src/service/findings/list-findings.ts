import { sql } from 'kysely';
import { countFindings, totalOf } from '../counts/finding-counts.js';
import type { Transaction } from '../db/database.js';
import { offsetOf } from '../http/page.js';
import type { FindingRow } from './finding-row.js';
import { withConfirmations } from './last-reports.js';

interface FindingsFilter extends Pick<FindingRow, 'project_id' | 'domain'> {
  readonly state: 'open' | 'fixed' | 'all';
  readonly severity?: FindingRow['severity'] | undefined;
  /** As in `findings.source`. */
  readonly source?: string | undefined;
  readonly page: number;
  readonly page_size: number;
}

/** Values of the generated column `state_rank`: the index has it, but not the state. */
const stateRanks = { open: 0, fixed: 2 } as const;

/** One page: open ones first, the worst first. The order is that of the index `findings_worst_first`. */
export function findingsPage(tx: Transaction, organisationId: string, filter: FindingsFilter) {
  const { project_id, domain, state, severity, source } = filter;
  return tx
    .selectFrom('findings')
    .selectAll()
    .where(({ and }) => and({ organisation_id: organisationId, project_id, domain }))
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
  const { project_id: projectId, domain, source, state, severity } = filter;
  const [counts, rows] = await Promise.all([
    countFindings(tx, { organisationId, projectId }, domain, source),
    findingsPage(tx, organisationId, filter).execute(),
  ]);
  const total = totalOf(
    counts,
    (kind) => (state === 'all' || kind.state === state) && (severity === undefined || kind.severity === severity),
  );
  return { total, rows: await withConfirmations(tx, { organisationId, projectId }, rows) };
}
