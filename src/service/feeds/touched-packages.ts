import { sql } from 'kysely';
import type { PackageKey } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';

/** Packages with an open alert for one of these CVEs, in all organisations: a new score or KEV entry can change them. */
export async function packagesAlertedFor(tx: Transaction, cves: readonly string[]): Promise<PackageKey[]> {
  if (cves.length === 0) return [];
  const { rows } = await sql<PackageKey>`
    select distinct ecosystem, package_name from alerts
    where cves && ${cves}::text[] and resolved_at is null`.execute(tx);
  return rows;
}

export async function trackedPackages(tx: Transaction): Promise<PackageKey[]> {
  const { rows } = await sql<PackageKey>`
    select distinct ecosystem, package_name from tech_stack_items`.execute(tx);
  return rows;
}
