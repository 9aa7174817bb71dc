import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { packageHealth } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { loadAdvisories } from '../alerts/load-intelligence.js';
import { isAmong } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';
import type { Schema } from '../db/schema.js';
import { isAffected } from '../matching/affected.js';

export type PackageHealth = z.output<typeof packageHealth>;

/** A package version with the deprecation notice of its manifest. */
export interface HealthSubject {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly version: string;
  readonly deprecated: string | null;
  /** The manifest that the notice comes from. */
  readonly source: string;
}

type HealthRow = Selectable<Schema['package_health']>;

/** The health of each package version, in the given order. Meant for one page of them. */
export async function loadHealth(tx: Transaction, subjects: readonly HealthSubject[]): Promise<PackageHealth[]> {
  if (subjects.length === 0) return [];
  const rows = await tx.selectFrom('package_health').selectAll().where(isAmong(subjects)).execute();
  const known = new Map(rows.map((row) => [`${row.ecosystem} ${row.package_name}`, row]));
  const malware = await loadAdvisories(tx, subjects, sql<boolean>`advisories.malicious`);
  return subjects.map((subject, place) => {
    const { ecosystem, package_name, version } = subject;
    const hit = malware[place]?.find(({ affected }) => isAffected(ecosystem, version, affected));
    return healthOf(subject, known.get(`${ecosystem} ${package_name}`), hit?.id);
  });
}

/** The health of a package version. Its manifest's notice is about this version, so it precedes the package's. */
export function healthOf(
  subject: HealthSubject,
  known: HealthRow | undefined,
  malwareId: string | undefined,
): PackageHealth {
  const sources = [subject.deprecated === null ? undefined : subject.source, known?.source, malwareId].filter(
    (source) => source !== undefined,
  );
  return {
    deprecated: subject.deprecated ?? known?.deprecated ?? null,
    unmaintained_since: known?.unmaintained_since ?? null,
    malicious: malwareId !== undefined,
    replacement: known?.replacement ?? null,
    source: sources.length === 0 ? null : [...new Set(sources)].join(', '),
  };
}
