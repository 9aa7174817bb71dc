import { sql } from 'kysely';
import type { SafeVersionStatus } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Scope } from '../../shared/vulnerability-terms.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { loadAdvisories } from '../alerts/load-intelligence.js';
import { adviseVersion, loadAdvice, type PackageAdvice } from '../alerts/package-advice.js';
import type { Context } from '../api/handler.js';
import { type Affected, isAffected } from '../matching/affected.js';
import { nearestSafeVersion } from '../matching/safe-version.js';

type OpenAlert = Pick<AlertRow, 'id' | 'versions' | 'advisory_ids' | 'effective_priority'>;

/** A package of a project, with all that an upgrade of it depends on. */
export interface AffectedPackage {
  readonly project_id: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  /** As a manifest spells it; null where that is not known. */
  readonly name: string | null;
  /** All that are not resolved. */
  readonly alerts: readonly OpenAlert[];
  /** All that count for the package, also those that affect none of its versions here. */
  readonly advisories: readonly AdvisoryOf[];
  readonly advice: PackageAdvice;
  /** Of the affected versions the scope that is nearest to production; null where none is known. */
  readonly scope: Scope | null;
}

/** The packages that the alerts are about, by the alert's id. */
export async function affectedPackages(
  ctx: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, AffectedPackage>> {
  const { tx, organisationId } = ctx;
  const { rows } = await sql<Omit<AffectedPackage, 'advisories' | 'advice'> & { readonly given: string }>`
    select given.id as given, given.project_id, given.ecosystem, given.package_name, given.name, open.alerts, used.scope
    from alerts as given
    cross join lateral (
      select jsonb_agg(jsonb_build_object('id', alert.id, 'versions', alert.versions, 'advisory_ids', alert.advisory_ids,
          'effective_priority', alert.effective_priority) order by alert.id) as alerts
      from alerts as alert
      where alert.organisation_id = given.organisation_id and alert.project_id = given.project_id
        and alert.ecosystem = given.ecosystem and alert.package_name = given.package_name and alert.resolved_at is null
    ) as open
    cross join lateral (
      select case when bool_or(item.scope = 'runtime') then 'runtime' when bool_or(item.scope = 'optional') then 'optional'
        when bool_or(item.scope = 'development') then 'development' end as scope
      from tech_stack_items as item
      where item.organisation_id = given.organisation_id and item.project_id = given.project_id
        and item.ecosystem = given.ecosystem and item.package_name = given.package_name
        and exists (
          select from jsonb_array_elements(open.alerts) as alert (facts) where alert.facts -> 'versions' ? item.version
        )
    ) as used
    where given.organisation_id = ${organisationId} and given.id = any (${alertIds}::text[]) and open.alerts is not null`.execute(
    tx,
  );
  const advisories = await loadAdvisories(tx, rows);
  const advice = await loadAdvice(ctx, rows);
  return new Map(
    rows.flatMap(({ given, ...row }, nth) => {
      const own = advice[nth];
      return own === undefined ? [] : [[given, { ...row, advisories: advisories[nth] ?? [], advice: own }]];
    }),
  );
}

/** The statement of an advisory that counts about a package. */
export interface AdvisoryOf {
  readonly id: string;
  readonly affected: Affected;
}

/** The target of one installed version of a package. */
export interface Target {
  readonly from: string;
  /** Above `from`; null where no known version is better. */
  readonly to: string | null;
  /** Whether `to` was published; null where there is none. */
  readonly status: SafeVersionStatus | null;
  /** Ids of the advisories that affect `to`. All of them affect `from` too, and name no fix above it. */
  readonly remaining: ReadonlySet<string>;
}

/**
 * The nearest version that no advisory affects. Where there is none, some advisory names no fix. Then it is the nearest
 * version without the flaws that have a fix: it closes those, and brings no new flaw. Each installed version has a
 * target of its own, because a project with 1.x and 4.x of a package does not want 4.x in place of 1.x.
 */
export function targetOf(
  ecosystem: Ecosystem,
  from: string,
  advisories: readonly AdvisoryOf[],
  advice: PackageAdvice,
): Target {
  const own = { ecosystem, version: from };
  const affectedOf = (all: readonly AdvisoryOf[]) => all.map(({ affected }) => affected);
  const entries = affectedOf(advisories);
  const isClear = !entries.some((entry) => isAffected(ecosystem, from, entry));
  const safe = isClear ? null : adviseVersion(own, entries, advice);
  if (safe !== null) return { from, to: safe.version, status: safe.status, remaining: new Set() };
  const withFix = advisories.filter(({ affected }) => nearestSafeVersion(ecosystem, from, [affected]) !== null);
  const isClearOfThose = !withFix.some(({ affected }) => isAffected(ecosystem, from, affected));
  const better = isClearOfThose ? null : adviseVersion(own, affectedOf(withFix), advice);
  const to = better?.version ?? null;
  const remaining = to === null ? [] : advisories.filter(({ affected }) => isAffected(ecosystem, to, affected));
  return { from, to, status: better?.status ?? null, remaining: new Set(remaining.map(({ id }) => id)) };
}
