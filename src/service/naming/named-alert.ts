import { sql } from 'kysely';
import { type Likely, maxLikely } from '../../procedures/problem.js';
import { isAboutVulnerability } from '../alerts/about-vulnerability.js';
import { nameOf } from '../alerts/alert-row.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import { notNamed } from '../http/api-error.js';
import type { ProjectKey } from '../projects/find-project.js';

/** An alert, or the verdict on one. */
type Kind = 'alert' | 'verdict';

/** The id of a project's one alert about a vulnerability, or of the verdict on it. Unresolved ones are meant where there are any. */
export async function namedAlert(
  tx: Transaction,
  project: ProjectKey,
  kind: Kind,
  vulnerability: string,
): Promise<string> {
  const verdictId = sql<string | null>`(select id from verdicts
    where verdicts.organisation_id = alerts.organisation_id and verdicts.alert_id = alerts.id)`;
  const rows = await tx
    .selectFrom('alerts')
    .select(['ecosystem', 'name', 'package_name', 'vulnerability_id', 'versions', 'resolved_at'])
    .select(kind === 'alert' ? sql<string | null>`alerts.id`.as('named') : verdictId.as('named'))
    .where(inScope(project))
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
    name: `${row.vulnerability_id} in ${nameOf(row)} ${row.versions.join(', ')}${row.resolved_at === null ? '' : ', resolved'}`,
  }));
  throw notNamed(kind, likely, one === undefined ? undefined : 'several_match');
}
