import { sql } from 'kysely';
import { packageKey } from '../../shared/packages/package-name.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Database, Transaction } from '../db/database.js';
import { readPages } from '../jobs/pages.js';

/** Packages with an open alert for one of these CVEs, in all organisations: a new score or KEV entry can change them. */
export async function packagesAlertedFor(tx: Transaction, cves: readonly string[]): Promise<PackageKey[]> {
  if (cves.length === 0) return [];
  const { rows } = await sql<PackageKey>`
    select distinct ecosystem, package_name from alerts
    where cves && ${cves}::text[] and resolved_at is null`.execute(tx);
  return rows;
}

/** Packages of all organisations that one query reads. */
const trackedRows = { first: 1_000, most: 20_000 };

/** The packages that any project tracks, read in short transactions. */
export async function trackedPackages(database: Database): Promise<Map<string, PackageKey>> {
  const tracked = new Map<string, PackageKey>();
  for await (const page of readPages((work) => database.system(work), trackedRows, readTracked)) {
    for (const { ecosystem, package_name } of page) {
      const key = { ecosystem, package_name };
      tracked.set(packageKey(key), key);
    }
  }
  return tracked;
}

interface PackageOfTenant extends PackageKey {
  readonly organisation_id: string;
}

/** In the order of an index, which begins with the organisation. */
async function readTracked(tx: Transaction, after: PackageOfTenant | undefined, limit: number) {
  const { rows } = await sql<PackageOfTenant>`
    select distinct organisation_id, ecosystem, package_name from tech_stack_items
    where (organisation_id, ecosystem, package_name)
      > (${after?.organisation_id ?? ''}, ${after?.ecosystem ?? ''}, ${after?.package_name ?? ''})
    order by organisation_id, ecosystem, package_name
    limit ${limit}`.execute(tx);
  return rows;
}
