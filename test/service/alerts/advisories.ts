import { randomUUID } from 'node:crypto';
import type { PackageAdvisory } from '../../../src/service/alerts/find-matches.js';
import type { Database } from '../../../src/service/db/database.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';

/** An advisory that affects `introduced` up to `fixed`; otherwise it knows nothing. */
export function advisory(
  id: string,
  introduced: string,
  fixed: string,
  more: Partial<PackageAdvisory> = {},
): PackageAdvisory {
  return {
    id,
    cves: [],
    published: null,
    summary: `summary of ${id}`,
    severity: null,
    cvss_version: null,
    cvss_score: null,
    cvss_vector: null,
    malicious: false,
    affected: { ranges: [{ type: 'ECOSYSTEM', events: [{ introduced }, { fixed }] }], versions: [] },
    ...more,
  };
}

/** Intelligence is common to all tests on one database: each names packages, advisories and CVEs of its own. */
export const unique = {
  packageName: () => `pkg-${randomUUID()}`,
  advisoryId: (database = 'GHSA') => `${database}-${randomUUID()}`,
  cve: () => `CVE-1990-${Math.floor(Math.random() * 1e15)}`,
};

export interface StoredState {
  readonly withdrawn?: Date;
  readonly informational?: 'unmaintained' | 'unsound' | 'notice';
}

/** Puts an advisory of one package into the database, in place of an earlier version of it. */
export async function storeAdvisory(
  database: Database,
  packageName: string,
  { affected, cves, ...facts }: PackageAdvisory,
  { withdrawn, informational }: StoredState = {},
  ecosystem: Ecosystem = 'npm',
): Promise<void> {
  await removeAdvisory(database, facts.id);
  await database.system(async (tx) => {
    await tx
      .insertInto('advisories')
      .values({
        ...facts,
        cves: [...cves],
        modified: new Date(),
        withdrawn: withdrawn ?? null,
        aliases: [],
        informational: informational ?? null,
        references: [],
        content_hash: Buffer.alloc(32),
      })
      .execute();
    await tx
      .insertInto('advisory_packages')
      .values({
        advisory_id: facts.id,
        ecosystem,
        package_name: packageName,
        affected: JSON.stringify(affected),
        symbols: [],
      })
      .execute();
  });
}

export async function removeAdvisory(database: Database, id: string): Promise<void> {
  await database.system((tx) => tx.deleteFrom('advisories').where('id', '=', id).execute());
}
