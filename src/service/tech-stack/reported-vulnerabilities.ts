import { sql } from 'kysely';
import type { Handlers } from '../api/handler.js';
import { inScope } from '../db/scope.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import type { InTransaction } from '../jobs/pages.js';
import { readInSteps } from '../landing/write-in-steps.js';
import { findProject, type ProjectKey } from '../projects/find-project.js';

/** The alert on the same vulnerability of one of the same packages, an open one first. Looked up by the key of alerts. */
const alertOf = sql<string | null>`(
  select alerts.id from unnest(reported_vulnerabilities.packages) as named (package)
  join alerts on alerts.organisation_id = reported_vulnerabilities.organisation_id
    and alerts.project_id = reported_vulnerabilities.project_id
    and alerts.ecosystem = split_part(named.package, ' ', 1)
    and alerts.package_name = split_part(named.package, ' ', 2)
  where (alerts.advisory_ids || alerts.cves || alerts.vulnerability_id)
    && (reported_vulnerabilities.aliases || reported_vulnerabilities.vulnerability_id)
  order by (alerts.resolved_at is not null), alerts.id limit 1
)`;

/** Vulnerabilities that SBOMs state, the worst first. */
export const listReportedVulnerabilities: Handlers['techStack']['listReportedVulnerabilities'] = async (
  ctx,
  { project_id, ...paging },
) => {
  const { tx, organisationId } = ctx;
  await findProject(ctx, project_id);
  const query = tx
    .selectFrom('reported_vulnerabilities')
    .where(inScope({ organisationId, projectId: project_id }))
    .select(['id', 'source', 'vulnerability_id', 'aliases', 'affects', 'severity', 'ratings'])
    .select(['description', 'recommendation', 'analysis_state', 'analysis_detail', 'updated_at'])
    .select(alertOf.as('alert_id'));
  return loadPage(ctx, bySeverity, paging, query);
};

const bySeverity: List = {
  keys: [
    key(sql`array_position(array['critical', 'high', 'moderate', 'low'], severity)`, 'numeric', 'nullable'),
    key('vulnerability_id', 'text'),
    key('id', 'text'),
  ],
  appeared: sql`updated_at`,
};

/**
 * How many of a source's stated vulnerabilities have no alert.
 *
 * @param coming alerts that will be there too: `packageKey`, a space, and one of its ids
 */
export async function countWithoutAlert(
  step: InTransaction,
  project: ProjectKey,
  source: string,
  coming: ReadonlySet<string>,
): Promise<number> {
  const rows = await readInSteps<Stated>(step, (tx, after, limit) =>
    tx
      .selectFrom('reported_vulnerabilities')
      .select(['id', 'packages', 'aliases', 'vulnerability_id', alertOf.as('alert_id')])
      .where(inScope(project))
      .where('source', '=', source)
      .where('id', '>', after?.id ?? '')
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  const isComing = ({ packages, aliases, vulnerability_id }: Stated) =>
    packages.some((key) => [vulnerability_id, ...aliases].some((id) => coming.has(`${key} ${id}`)));
  return rows.filter((row) => row.alert_id === null && !isComing(row)).length;
}

interface Stated {
  readonly id: string;
  readonly packages: readonly string[];
  readonly aliases: readonly string[];
  readonly vulnerability_id: string;
  readonly alert_id: string | null;
}
