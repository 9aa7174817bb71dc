import { sql } from 'kysely';
import { maxFound, maxFoundCount } from '../../../procedures/search.js';
import type { Transaction } from '../../db/database.js';
import { inScope, isProjectOf } from '../../db/scope.js';
import type { ProjectsTable } from '../../db/tables/projects.js';
import { contains, nearestFirst } from './names.js';
import type { Found, Search } from './search.js';

/** Projects whose name contains it, with their unresolved alerts. */
export async function findProjects(tx: Transaction, { needle, ...scope }: Search): Promise<Found<'projects'>> {
  const { rows } = await sql<Pick<ProjectsTable, 'id' | 'name' | 'exposure' | 'repo'>>`
    select id, name, exposure, repo from projects
    where ${isProjectOf(scope)} and ${contains(sql`name`, needle)}
    order by ${nearestFirst(sql`name`, needle)} limit ${maxFoundCount}`.execute(tx);
  const items = await Promise.all(
    rows.slice(0, maxFound).map(async (project) => ({
      ...project,
      alerts: await openAlerts(tx, { organisationId: scope.organisationId, projectId: project.id }),
    })),
  );
  return { items, total: rows.length };
}

async function openAlerts(tx: Transaction, scope: { readonly organisationId: string; readonly projectId: string }) {
  const sumOf = (tier: string) => sql`coalesce(sum(count) filter (where tier = ${tier}), 0)::integer`;
  const { rows } = await sql<Found<'projects'>['items'][number]['alerts']>`
    select ${sumOf('RED')} as red, ${sumOf('YELLOW')} as yellow, ${sumOf('GREEN')} as green from posture_counts
    where ${inScope(scope)} and domain = 'dependencies' and source = '' and state in ('open', 'open_acknowledged')`.execute(
    tx,
  );
  return rows[0] ?? { red: 0, yellow: 0, green: 0 };
}
