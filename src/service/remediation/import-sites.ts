import { sql } from 'kysely';
import { planLimits } from '../../procedures/remediation.js';
import { packageKey } from '../../shared/packages/package-name.js';
import { type PackageKey, packageArrays } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';

interface Sites {
  readonly total: number;
  readonly first: string[];
}

/** Where the newest usage report says that a package is imported, in any version; null where the project has no report. */
export async function importSites(
  tx: Transaction,
  project: ProjectKey,
  packages: readonly PackageKey[],
): Promise<(named: PackageKey) => Sites | null> {
  const { ecosystems, names } = packageArrays(packages);
  const { rows } = await sql<PackageKey & Sites & { readonly has_report: boolean }>`
    select asked.ecosystem, asked.package_name, report.present as has_report,
      (select coalesce(sum(used.all_sites), 0)::int from usage_dependencies as used
        where ${inScope(project, 'used')} and used.ecosystem = asked.ecosystem and used.package_name = asked.package_name) as total,
      (select coalesce(json_agg(place), '[]'::json) from (
        select (site ->> 'file') || ':' || (site ->> 'line') as place
        from usage_dependencies as used, jsonb_array_elements(used.sites) with ordinality as each (site, nth)
        where ${inScope(project, 'used')} and used.ecosystem = asked.ecosystem and used.package_name = asked.package_name
        order by nth, used.version limit ${planLimits.sites}
      ) as sites) as first
    from unnest(${ecosystems}::text[], ${names}::text[]) as asked (ecosystem, package_name),
      (select exists (select from usage_reports where ${inScope(project)}) as present) as report`.execute(tx);
  const known = new Map(
    rows.map(({ has_report, total, first, ...named }) => [packageKey(named), has_report ? { total, first } : null]),
  );
  return (named) => known.get(packageKey(named)) ?? null;
}
