import { sql } from 'kysely';
import { packageKey } from '../../shared/packages/package-name.js';
import type { AlertResolution } from '../../shared/vulnerability-terms.js';
import type { Transaction } from '../db/database.js';
import type { KnownAlert } from './alert-changes.js';
import type { TrackedVersions } from './find-matches.js';

export interface ResolvedAlert {
  readonly id: string;
  readonly resolution: AlertResolution;
}

/** Why alerts that no longer match are resolved. All are of the given packages; the stack may have no version of some. */
export async function resolutionsOf(
  tx: Transaction,
  alerts: readonly KnownAlert[],
  packages: readonly TrackedVersions[],
): Promise<ResolvedAlert[]> {
  if (alerts.length === 0) return [];
  const ids = [...new Set(alerts.flatMap(({ advisory_ids }) => advisory_ids))];
  const rows = await tx
    .selectFrom('advisories')
    .select('id')
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .where('withdrawn', 'is not', null)
    .execute();
  const withdrawn = new Set(rows.map(({ id }) => id));
  const tracked = new Map(packages.map((each) => [packageKey(each), each]));
  return alerts.map((alert) => ({
    id: alert.id,
    resolution: resolutionOf(alert, tracked.get(packageKey(alert)), withdrawn),
  }));
}

/** @param withdrawn the ids of withdrawn advisories */
function resolutionOf(
  alert: Pick<KnownAlert, 'versions' | 'advisory_ids'>,
  tracked: Pick<TrackedVersions, 'versions' | 'advisories'> | undefined,
  withdrawn: ReadonlySet<string>,
): AlertResolution {
  if (tracked === undefined || tracked.versions.length === 0) return 'package_removed';
  if (!tracked.versions.some((version) => alert.versions.includes(version))) return 'upgraded';
  const isLeft = tracked.advisories.some(({ id }) => alert.advisory_ids.includes(id));
  return !isLeft && alert.advisory_ids.some((id) => withdrawn.has(id)) ? 'advisory_withdrawn' : 'no_longer_affected';
}
