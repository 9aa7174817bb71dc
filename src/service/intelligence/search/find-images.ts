import { sql } from 'kysely';
import { maxFound, maxFoundCount } from '../../../procedures/search.js';
import { type ImageRow, noFindings, openCounts } from '../../containers/image-row.js';
import type { Transaction } from '../../db/database.js';
import { isListed } from '../../db/scope.js';
import { contains, nearestFirst } from './names.js';
import { projectsOf } from './projects-of.js';
import type { Found, Search } from './search.js';

type FoundImage = Pick<ImageRow, 'id' | 'organisation_id' | 'project_id' | 'ref' | 'scanned_at'>;

/** Images whose ref contains it, with their open findings. */
export async function findImages(tx: Transaction, { needle, ...scope }: Search): Promise<Found<'images'>> {
  const { rows } = await sql<FoundImage>`
    select id, organisation_id, project_id, ref, scanned_at from container_images
    where ${isListed(scope)} and ${contains(sql`ref`, needle)}
    order by ${nearestFirst(sql`ref`, needle)}, id limit ${maxFoundCount}`.execute(tx);
  const shown = rows.slice(0, maxFound);
  const [counts, projectOf] = await Promise.all([openCounts(tx, shown), projectsOf(tx, scope.organisationId, shown)]);
  const items = shown.map(({ id, project_id, ref, scanned_at }) => ({
    ...{ id, ref, scanned_at, project: projectOf(project_id) },
    tiers: counts.get(id) ?? noFindings,
  }));
  return { items, total: rows.length };
}
