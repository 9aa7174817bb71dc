import { sql } from 'kysely';
import { packageKey } from '../../shared/packages/package-key.js';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Database, Transaction } from '../db/database.js';
import { Pace } from '../jobs/pace.js';

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
  const pace = new Pace(trackedRows);
  const tracked = new Map<string, PackageKey>();
  let after: PackageOfTenant | undefined;
  do {
    const [place, limit] = [after, pace.rows];
    const page = await database.system((tx) => pace.measure(limit, () => readTracked(tx, place, limit)));
    for (const { ecosystem, package_name } of page) {
      const key = { ecosystem, package_name };
      tracked.set(packageKey(key), key);
    }
    after = page.length === limit ? page.at(-1) : undefined;
  } while (after !== undefined);
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
