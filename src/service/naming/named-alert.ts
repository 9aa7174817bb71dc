import { sql } from 'kysely';
import { type Likely, maxLikely } from '../../procedures/problem.js';
import { nameOf } from '../alerts/alert-row.js';
import { isAboutVulnerability } from '../alerts/find-alert.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { notNamed } from '../http/api-error.js';

/** An alert, or the verdict on one. */
type Kind = 'alert' | 'verdict';

/**
 * The id of the one alert about a vulnerability in a project, or in all, or of the verdict on it. Unresolved ones are
 * meant where there are any.
 */
export async function namedAlert(tx: Transaction, scope: Scope, kind: Kind, vulnerability: string): Promise<string> {
  const verdictId = sql<string | null>`(select id from verdicts
    where verdicts.organisation_id = alerts.organisation_id and verdicts.alert_id = alerts.id)`;
  const projectName = sql<string>`(select name from projects
    where projects.organisation_id = alerts.organisation_id and projects.id = alerts.project_id)`;
  const rows = await tx
    .selectFrom('alerts')
    .select(['ecosystem', 'name', 'package_name', 'vulnerability_id', 'versions', 'resolved_at'])
    .select(projectName.as('project'))
    .select(kind === 'alert' ? sql<string | null>`alerts.id`.as('named') : verdictId.as('named'))
    .where(isListed(scope))
    .where(isAboutVulnerability(vulnerability))
    .orderBy(sql`(alerts.resolved_at is not null)`)
    .orderBy('alerts.id')
    // Of a hundred others none would be named.
    .limit(100)
    .execute();
  const there = rows.flatMap(({ named, ...row }) => (named === null ? [] : [{ ...row, id: named }]));
  const open = there.filter(({ resolved_at }) => resolved_at === null);
  const meant = open.length > 0 ? open : there;
  const [one, ...others] = meant;
  if (one !== undefined && others.length === 0) return one.id;
  const likely: Likely = meant.slice(0, maxLikely).map((row) => ({
    id: row.id,
    name: [
      `${row.vulnerability_id} in ${nameOf(row)} ${row.versions.join(', ')}`,
      ...(scope.projectId === undefined ? [row.project] : []),
      ...(row.resolved_at === null ? [] : ['resolved']),
    ].join(', '),
  }));
  throw notNamed(kind, likely, one === undefined ? undefined : 'several_match');
}
