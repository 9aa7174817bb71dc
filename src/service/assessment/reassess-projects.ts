import { sql } from 'kysely';
import { type PackageKey, type PackageScope, packageArrays } from '../alerts/tracked-packages.js';
import type { Database, Transaction } from '../db/database.js';
import { Pace } from '../jobs/pace.js';
import { type InTransaction, inPages } from '../jobs/pages.js';
import type { ProjectKey } from '../projects/find-project.js';
import { type AlertCounts, addAlertCounts, noAlertCounts } from './alert-counts.js';
import { pageWeights, reassessInSteps } from './reassess-project.js';

export interface ReassessedProjects extends AlertCounts {
  /** How many projects were looked at. */
  readonly projects: number;
}

/** Projects that one query looks at. Each takes a look-up for every touched package. */
const projectRows = { first: 20, most: 1_000 };

/** With more touched packages than this, filtering by them costs more than looking at all that a project tracks. */
const maxTouched = 5_000;

/**
 * Brings the alerts and verdicts of all organisations' projects up to date after intelligence has changed, in short
 * transactions, each bound to its organisation. Safe to repeat: what is up to date is not written.
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
  const packages = new Pace(pageWeights);
  const read = (tx: Transaction, before: ProjectPage | undefined, rows: number) =>
    readKeys(tx, scope, before?.next, rows);
  for await (const { keys } of inPages((work) => database.system(work), projectRows, read)) {
    for (const key of keys) {
      const transact: InTransaction = (work) => database.tenant(key.organisationId, work);
      const counts = await reassessInSteps(transact, key, now, scope, packages);
      total = { ...addAlertCounts(total, counts), projects: total.projects + 1 };
    }
  }
  return total;
}

type ProjectPage = Awaited<ReturnType<typeof readKeys>>;

/**
 * The next projects that the intelligence concerns, and the last one looked at; undefined after all. Only the system role sees
 * the projects of all organisations. Their rows are then read and written as a tenant.
 */
async function readKeys(tx: Transaction, scope: PackageScope, after: ProjectKey | undefined, limit: number) {
  const { rows } = await sql<ProjectKey & { readonly concerned: boolean }>`
    select organisation_id as "organisationId", id as "projectId",
      ${scope === 'all' ? sql`true` : tracksAny(scope)} as concerned
    from projects
    where (organisation_id, id) > (${after?.organisationId ?? ''}, ${after?.projectId ?? ''})
    order by organisation_id, id
    limit ${limit}`.execute(tx);
  const keys = rows.filter(({ concerned }) => concerned);
  return { keys, next: rows.length === limit ? rows.at(-1) : undefined };
}

function tracksAny(packages: readonly PackageKey[]) {
  const { ecosystems, names } = packageArrays(packages);
  return sql`exists (
    select from unnest(${ecosystems}::text[], ${names}::text[]) as touched (ecosystem, package_name)
    join tech_stack_items as tracked
      on tracked.ecosystem = touched.ecosystem and tracked.package_name = touched.package_name
    where tracked.organisation_id = projects.organisation_id and tracked.project_id = projects.id
  )`;
}
