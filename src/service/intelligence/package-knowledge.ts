import { sql } from 'kysely';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';

/** What we hold that names a package, whatever it says of it. */
export interface PackageKnowledge {
  /** Any advisory, also one that was withdrawn or is none about a flaw. */
  readonly advisory: boolean;
  readonly health: boolean;
  /** In the stacks of the caller's organisation. */
  readonly tracked_versions: readonly string[];
}

/** Versions of one package that are compared; an organisation rarely tracks ten. */
const maxVersions = 500;

export async function readKnowledge(
  tx: Transaction,
  organisationId: string,
  { ecosystem, package_name }: PackageKey,
): Promise<PackageKnowledge> {
  const isIt = sql`ecosystem = ${ecosystem} and package_name = ${package_name}`;
  const { rows } = await sql<PackageKnowledge>`
    select exists(select from advisory_packages where ${isIt}) as advisory,
      exists(select from package_health where ${isIt}) as health,
      array(
        select distinct version from tech_stack_items
        where organisation_id = ${organisationId} and ${isIt} limit ${maxVersions}
      ) as tracked_versions`.execute(tx);
  return rows[0] ?? { advisory: false, health: false, tracked_versions: [] };
}
