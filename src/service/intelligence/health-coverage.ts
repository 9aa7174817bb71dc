import { sql } from 'kysely';
import type { Coverage } from '../../procedures/coverage.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { coverageOfDomain } from '../coverage/coverage.js';
import { readFeedCoverage } from '../coverage/feed-coverage.js';
import { unreadGapsOfEcosystems } from '../coverage/unread-parts.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';

/** How many of a project's packages, whatever their versions, anything that we hold speaks of. */
interface Spoken {
  readonly packages: number;
  readonly spoken: number;
  readonly ecosystems: readonly Ecosystem[];
}

/** The coverage of a project's package health. `total`: packages that are at risk. */
export async function healthCoverage(
  tx: Transaction,
  project: ProjectKey,
  { total, now }: { readonly total: number; readonly now: Date },
): Promise<Coverage> {
  const { packages, spoken, ecosystems } = await readSpoken(tx, project);
  const feeds = await readFeedCoverage(tx, ecosystems, now);
  const late = feeds.flatMap(({ ecosystem, as_of, stale }) => {
    if (as_of === null) return [`no feed that is loaded has all of ${ecosystem}`];
    return stale ? [`the advisories of ${ecosystem} are of ${as_of.toISOString().slice(0, 10)}`] : [];
  });
  const silent = packages - spoken;
  const gaps = [
    ...(packages === 0 ? ['the project has no packages'] : []),
    ...(silent > 0 ? [`${silent} of ${packages} packages: no health record or advisory names them`] : []),
    ...late,
    ...(await unreadGapsOfEcosystems(tx, ecosystems)),
  ];
  return coverageOfDomain('dependencies', total > 0, { feeds, known: packages > 0 && silent === 0, gaps });
}

async function readSpoken(tx: Transaction, project: ProjectKey): Promise<Spoken> {
  const { rows } = await sql<Spoken>`
    select count(*)::integer as packages,
      (count(*) filter (where
        exists(select from advisory_packages as named
          where named.ecosystem = tracked.ecosystem and named.package_name = tracked.package_name)
        or exists(select from package_health as health
          where health.ecosystem = tracked.ecosystem and health.package_name = tracked.package_name)
      ))::integer as spoken,
      coalesce(array_agg(distinct ecosystem), '{}') as ecosystems
    from (select distinct ecosystem, package_name from tech_stack_items where ${inScope(project)}) as tracked`.execute(
    tx,
  );
  return rows[0] ?? { packages: 0, spoken: 0, ecosystems: [] };
}
