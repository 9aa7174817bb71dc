import { sql } from 'kysely';
import type * as z from 'zod';
import type { tierCounts } from '../../procedures/findings.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Transaction } from '../db/database.js';

export type TierCounts = z.output<typeof tierCounts>;

interface PackageVersion {
  readonly project_id: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly version: string;
}

/** The unresolved alerts on each package version of a project, by tier, in the given order. */
export async function countAlertsOf(
  tx: Transaction,
  organisationId: string,
  packages: readonly PackageVersion[],
): Promise<TierCounts[]> {
  if (packages.length === 0) return [];
  const { rows } = await sql<TierCounts & { readonly place: number }>`
    select place::integer, count(*) filter (where tier_rank = 0)::integer as red,
      count(*) filter (where tier_rank = 1)::integer as yellow, count(*) filter (where tier_rank = 2)::integer as green
    from unnest(
      ${packages.map(({ project_id }) => project_id)}::text[],
      ${packages.map(({ ecosystem }) => ecosystem)}::text[], ${packages.map(({ package_name }) => package_name)}::text[],
      ${packages.map(({ version }) => version)}::text[]
    ) with ordinality as named (project_id, ecosystem, package_name, version, place)
    join alerts on alerts.organisation_id = ${organisationId} and alerts.project_id = named.project_id
      and alerts.ecosystem = named.ecosystem and alerts.package_name = named.package_name
    where alerts.resolved_at is null and named.version = any (alerts.versions)
    group by place`.execute(tx);
  const found = new Map(rows.map(({ place, ...counts }) => [place, counts]));
  return packages.map((_, index) => found.get(index + 1) ?? { red: 0, yellow: 0, green: 0 });
}
