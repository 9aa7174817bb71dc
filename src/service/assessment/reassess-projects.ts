import { sql } from 'kysely';
import { type PackageKey, type PackageScope, packageArrays } from '../alerts/tracked-packages.js';
import type { Database } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';
import { type AlertCounts, addAlertCounts, noAlertCounts, reassessProject } from './reassess-project.js';

export interface ReassessedProjects extends AlertCounts {
  /** How many projects were looked at. */
  readonly projects: number;
}

/** Project keys read by one query. */
const projectBatchSize = 1_000;

/** With more touched packages than this, filtering by them costs more than looking at all that a project tracks. */
const maxTouched = 5_000;

/**
 * Brings the alerts and verdicts of all organisations' projects up to date after intelligence has changed. Each project
 * has its own transaction, bound to its organisation. Safe to repeat: what is up to date is not written.
 *
 * @param touched the packages whose intelligence has changed; projects that track none of them are left alone
 */
export async function reassessProjects(
  database: Database,
  now: Date,
  touched: PackageScope = 'all',
): Promise<ReassessedProjects> {
  const scope = touched === 'all' || touched.length > maxTouched ? 'all' : touched;
  let total: ReassessedProjects = { ...noAlertCounts, projects: 0 };
  if (scope.length === 0) return total;
  let after: ProjectKey | undefined;
  do {
    const keys = await readKeys(database, scope, after);
    for (const key of keys) {
      const counts = await database.tenant(key.organisationId, (tx) => reassessProject(tx, key, now, scope));
      total = { ...addAlertCounts(total, counts), projects: total.projects + 1 };
    }
    after = keys.length === projectBatchSize ? keys.at(-1) : undefined;
  } while (after !== undefined);
  return total;
}

/** Only the system role sees the projects of all organisations. Their rows are then read and written as a tenant. */
async function readKeys(database: Database, scope: PackageScope, after: ProjectKey | undefined): Promise<ProjectKey[]> {
  return database.system(async (tx) => {
    const { rows } = await sql<ProjectKey>`
      select organisation_id as "organisationId", id as "projectId" from projects
      where (organisation_id, id) > (${after?.organisationId ?? ''}, ${after?.projectId ?? ''})
        ${scope === 'all' ? sql`` : tracksAny(scope)}
      order by organisation_id, id
      limit ${projectBatchSize}`.execute(tx);
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
