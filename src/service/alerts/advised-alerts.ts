import type { SafeVersionStatus } from '../../procedures/vulnerability.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { Context } from '../api/handler.js';
import { publicationOf } from '../matching/safe-version.js';
import { compareVersions } from '../matching/versions/index.js';
import type { AlertRow } from './alert-facts.js';
import { loadAdvisories } from './load-intelligence.js';
import { adviseVersion, loadAdvice } from './package-advice.js';

/** What of an alert decides which version may be proposed. */
type Advisable = Pick<AlertRow, 'id' | 'ecosystem' | 'package_name' | 'safe_version'> & {
  readonly versions: readonly string[];
};

/** An alert with the version that may be proposed now. Its own `safe_version` is the nearest one that advisories name. */
export type Advised<Row extends Advisable> = Row & {
  readonly safe_version_status: SafeVersionStatus | null;
  /** Advisories name a version, and are too old to call it safe. */
  readonly withheld: boolean;
  /** Of the advisories that name a version. */
  readonly advised_as_of: Date | null;
};

/** The alerts as they are answered: what advisories name is kept for as long as it is known to be safe and may be published. */
export async function adviseAlerts<Row extends Advisable>(
  ctx: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  rows: readonly Row[],
): Promise<Advised<Row>[]> {
  const named = rows.filter(({ safe_version }) => safe_version !== null);
  const packages = [...new Map(named.map((row) => [packageKey(row), row])).values()];
  const advice = await loadAdvice(ctx, packages);
  const adviceOf = new Map(packages.map((row, nth) => [packageKey(row), advice[nth]]));
  const known = new Map(
    named.map((row) => {
      const own = adviceOf.get(packageKey(row));
      const status =
        own === undefined || own.withheld || row.safe_version === null
          ? null
          : publicationOf(row.ecosystem, row.safe_version, own);
      return [row.id, { row, own, status }];
    }),
  );
  const denied = [...known.values()].filter(({ status }) => status === 'denied');
  const advisories =
    denied.length === 0
      ? []
      : await loadAdvisories(
          ctx.tx,
          denied.map(({ row }) => row),
        );
  const replaced = new Map(
    denied.map(({ row, own }, nth) => {
      const entries = (advisories[nth] ?? []).map(({ affected }) => affected);
      const version = highest(row);
      return [row.id, own === undefined || version === null ? null : adviseVersion({ ...row, version }, entries, own)];
    }),
  );
  return rows.map((row) => {
    const { own, status = null } = known.get(row.id) ?? {};
    const standing = { withheld: own?.withheld === true, advised_as_of: own?.as_of ?? null };
    if (status === 'published' || status === 'unverified') return { ...row, safe_version_status: status, ...standing };
    const next = replaced.get(row.id) ?? null;
    return { ...row, safe_version: next?.version ?? null, safe_version_status: next?.status ?? null, ...standing };
  });
}

function highest({ ecosystem, versions }: Advisable): string | null {
  return versions.reduce<string | null>(
    (high, each) => (high === null || (compareVersions(ecosystem, each, high) ?? 0) > 0 ? each : high),
    null,
  );
}
