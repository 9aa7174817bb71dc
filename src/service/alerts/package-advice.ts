import { sql } from 'kysely';
import type { SafeVersionStatus } from '../../procedures/vulnerability.js';
import { packageKey } from '../../shared/packages/package-name.js';
import { isPackageName } from '../../shared/text/grammars.js';
import type { Context } from '../api/handler.js';
import { feedCoverage, listFeeds } from '../coverage/feed-coverage.js';
import type { Affected } from '../matching/affected.js';
import { type PublishedVersions, publicationOf, type SafeVersion, safeVersion } from '../matching/safe-version.js';
import { compareVersions } from '../matching/versions/index.js';
import { maxListDays } from '../registries/version-lists.js';
import type { AlertRow } from './alert-facts.js';
import { advisoryCounts, loadAdvisories } from './load-intelligence.js';
import { type PackageKey, packageArrays } from './tracked-packages.js';

/** What decides which version of a package may be proposed, besides its advisories. */
export interface PackageAdvice extends PublishedVersions {
  /** Its advisories are old or not whole, or its name is none of a package: then no version of it is called safe. */
  readonly withheld: boolean;
  /** What the advisories of its ecosystem are of; null where a feed with all of them is not loaded. */
  readonly as_of: Date | null;
}

/** Versions in stacks that are looked at; an organisation rarely tracks ten of a package. */
const maxSeen = 500;

/** The advice of each package, in the order of the packages. The one place that `safe_version` and every target come from. */
export async function loadAdvice(
  { tx, organisationId, now }: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  packages: readonly PackageKey[],
): Promise<PackageAdvice[]> {
  if (packages.length === 0) return [];
  const feeds = await listFeeds(tx);
  const { ecosystems, names } = packageArrays(packages);
  const keys = packages.map(packageKey);
  const { rows } = await sql<Omit<PackageAdvice, 'as_of'>>`
    select
      array(
        select known.version from (
          select version from (
            select distinct version from tech_stack_items as item
            where item.organisation_id = ${organisationId} and item.ecosystem = asked.ecosystem
              and item.package_name = asked.package_name limit ${maxSeen}
          ) as tracked
          union all
          select version from registry_lookups as answered
          where answered.ecosystem = asked.ecosystem and answered.package_name = asked.package_name
            and answered.found = 'version'
          union all
          select unnest(versions) from registry_versions as old
          where old.ecosystem = asked.ecosystem and old.package_name = asked.package_name
            and old.looked_up_at < ${now}::timestamptz - make_interval(days => ${maxListDays})
          union all
          select jsonb_array_elements_text(named.affected -> 'versions')
          from advisory_packages as named join advisories on advisories.id = named.advisory_id
          where named.ecosystem = asked.ecosystem and named.package_name = asked.package_name and not ${advisoryCounts}
        ) as known (version)
        -- Who has such a version keeps it. No tool installs it anew.
        where not exists (
          select from registry_versions as list where list.ecosystem = asked.ecosystem
            and list.package_name = asked.package_name and known.version = any (list.yanked)
        )
      ) as seen,
      (
        select versions from registry_versions as list
        where list.ecosystem = asked.ecosystem and list.package_name = asked.package_name
          and list.looked_up_at >= ${now}::timestamptz - make_interval(days => ${maxListDays}) and (versions <> '{}' or yanked <> '{}')
      ) as registry,
      exists (select from unread_records as unread where unread.packages @> array[asked.key]) or exists (
        select from advisory_packages as named join advisories on advisories.id = named.advisory_id
        where named.ecosystem = asked.ecosystem and named.package_name = asked.package_name
          and named.affected -> 'ranges' = '[]' and named.affected -> 'versions' = '[]'
          and ${advisoryCounts}
      ) as withheld
    from unnest(${ecosystems}::text[], ${names}::text[], ${keys}::text[])
      with ordinality as asked (ecosystem, package_name, key, place)
    order by asked.place`.execute(tx);
  return rows.map(({ seen, registry, withheld }, nth) => {
    const { ecosystem, package_name: name = '' } = packages[nth] ?? {};
    const [feed] = feedCoverage(feeds, ecosystem === undefined ? [] : [ecosystem], now);
    const as_of = feed?.as_of ?? null;
    // Nothing is called safe by advisories that are over 7 days old, and of what no registry has.
    const isWithheld = withheld || as_of === null || feed?.stale !== false || !isPackageName(name);
    return { seen, registry, withheld: isWithheld, as_of };
  });
}

/** The version of a package that is proposed to who has this one, and how sure it is that it was published; null where none is known. */
export function adviseVersion(
  { ecosystem, version }: { readonly ecosystem: PackageKey['ecosystem']; readonly version: string },
  entries: readonly Affected[],
  advice: PackageAdvice,
): SafeVersion | null {
  return advice.withheld ? null : safeVersion(ecosystem, version, entries, advice);
}

/** The fields of an alert that decide which version may be proposed. */
type Advisable = Pick<AlertRow, 'id' | 'ecosystem' | 'package_name' | 'safe_version'> & {
  readonly versions: readonly string[];
};

/** An alert with the version that may be proposed now. Its own `safe_version` is the nearest one that advisories name. */
export type Advised<Row extends Advisable> = Row & {
  readonly safe_version_status: SafeVersionStatus | null;
  /** Advisories name a version, and are too old to call it safe. */
  readonly withheld: boolean;
  /** The day of the advisories that name a version. */
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
