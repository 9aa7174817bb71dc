import { sql } from 'kysely';
import type { Database } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';
import { type AlertCounts, addAlertCounts, noAlertCounts, reconcileAlerts } from './reconcile.js';
import { type PackageKey, type PackageScope, packageArrays } from './tracked-packages.js';

export interface ReconciledProjects extends AlertCounts {
  /** Projects looked at. */
  readonly projects: number;
}

/** Keys read at once. */
const projectsAtOnce = 1_000;

/** Beyond, telling every project what was touched costs more than looking at everything it tracks. */
const mostTouched = 5_000;

/**
 * Brings the alerts of every organisation's projects up to date after intelligence has changed: each project in a
 * transaction of its own, bound to its organisation. `touched` names the packages whose advisories have changed; `all` is
 * for EPSS and KEV. Projects that track none of them are left alone. Safe to repeat: what is up to date is not written.
 */
export async function reconcileProjects(
  database: Database,
  now: Date,
  touched: PackageScope = 'all',
): Promise<ReconciledProjects> {
  const scope = touched === 'all' || touched.length > mostTouched ? 'all' : touched;
  let answer: ReconciledProjects = { ...noAlertCounts, projects: 0 };
  if (scope.length === 0) return answer;
  let after: ProjectKey | undefined;
  do {
    const keys = await readKeys(database, scope, after);
    for (const key of keys) {
      const counts = await database.tenant(key.organisationId, (tx) => reconcileAlerts(tx, key, now, scope));
      answer = { ...addAlertCounts(answer, counts), projects: answer.projects + 1 };
    }
    after = keys.length === projectsAtOnce ? keys.at(-1) : undefined;
  } while (after !== undefined);
  return answer;
}

/** Which projects there are is known to the system alone; their rows are read and written as their own organisation. */
async function readKeys(database: Database, scope: PackageScope, after: ProjectKey | undefined): Promise<ProjectKey[]> {
  return database.system(async (tx) => {
    const { rows } = await sql<ProjectKey>`
      select organisation_id as "organisationId", id as "projectId" from projects
      where (organisation_id, id) > (${after?.organisationId ?? ''}, ${after?.projectId ?? ''})
        ${scope === 'all' ? sql`` : tracksAny(scope)}
      order by organisation_id, id
      limit ${projectsAtOnce}`.execute(tx);
    return rows;
  });
}

function tracksAny(packages: readonly PackageKey[]) {
  const { ecosystems, names } = packageArrays(packages);
  return sql`and exists (
    select from unnest(${ecosystems}::text[], ${names}::text[]) as touched (ecosystem, package_name)
    join tech_stack_items as tracked
      on tracked.ecosystem = touched.ecosystem and tracked.package_name = touched.package_name
    where tracked.organisation_id = projects.organisation_id and tracked.project_id = projects.id
  )`;
}
