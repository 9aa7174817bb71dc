import { sql } from 'kysely';
import { maxFrom, type RankedFinding, type RankedRisk, type Upgrade } from '../../procedures/risk.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Scope } from '../../shared/vulnerability-terms.js';
import { nameOf } from '../alerts/alert-row.js';
import type { Transaction } from '../db/database.js';
import { compareVersions } from '../matching/versions/index.js';
import { type Brought, bringers } from './bringers.js';

/** A package of a project with its open alerts, as one upgrade sees them. */
export interface AffectedPackage extends Brought {
  /** Of the alert that was asked for. */
  readonly id: string;
  /** As a manifest spells it; null where that is not known. */
  readonly name: string | null;
  /** Versions that alerts with a safe version affect; of no such alert, those that any affects. */
  readonly versions: readonly string[];
  readonly safe_versions: readonly string[];
  readonly closable: number;
  readonly open: number;
  /** EffectivePriority of those that can be closed, together; null where none has a verdict. */
  readonly priority: number | null;
  readonly scope: Scope | null;
}

/** The alerts, each with the upgrade of its package that closes it and the others that it can. */
export async function packageUpgrades(
  tx: Transaction,
  organisationId: string,
  alerts: readonly RankedFinding[],
): Promise<RankedRisk[]> {
  const packages = await loadAffected(tx, organisationId, alerts);
  const directOf = await bringers(tx, organisationId, packages);
  const known = new Map(packages.map((each) => [each.id, each]));
  return alerts.map((alert) => {
    const affected = known.get(alert.id);
    return { ...alert, fix: affected === undefined ? null : toUpgrade(affected, directOf(affected)) };
  });
}

/**
 * The upgrade to the highest of the safe versions. Each of them is one that no advisory of the package affects, at or above
 * all versions that its alert is about; so the highest closes all alerts that have one.
 */
export function toUpgrade(affected: AffectedPackage, direct: string | null): Upgrade {
  const { ecosystem, versions, safe_versions, closable, open, scope, priority } = affected;
  return {
    package: nameOf(affected),
    from: inOrder(ecosystem, versions).slice(-maxFrom),
    to: inOrder(ecosystem, safe_versions).at(-1) ?? null,
    scope,
    direct,
    closes: closable,
    leaves: open - closable,
    priority,
  };
}

/** Lowest first, as the ecosystem orders versions. */
function inOrder(ecosystem: Ecosystem, versions: readonly string[]): string[] {
  return versions.toSorted((a, b) => compareVersions(ecosystem, a, b) || compareText(a, b));
}

async function loadAffected(
  tx: Transaction,
  organisationId: string,
  alerts: readonly RankedFinding[],
): Promise<AffectedPackage[]> {
  const { rows } = await sql<AffectedPackage>`
    select given.id, given.project_id, given.ecosystem, given.package_name, given.name, summed.*, affected.versions, item.*
    from alerts as given
    cross join lateral (
      select count(*)::int as open, count(alert.safe_version)::int as closable,
        sum(alert.effective_priority) filter (where alert.safe_version is not null) as priority,
        coalesce(array_agg(distinct alert.safe_version) filter (where alert.safe_version is not null), '{}') as safe_versions
      from alerts as alert
      where alert.organisation_id = given.organisation_id and alert.project_id = given.project_id
        and alert.ecosystem = given.ecosystem and alert.package_name = given.package_name and alert.resolved_at is null
    ) as summed
    cross join lateral (
      select array(
        select distinct version from alerts as alert, unnest(alert.versions) as version
        where alert.organisation_id = given.organisation_id and alert.project_id = given.project_id
          and alert.ecosystem = given.ecosystem and alert.package_name = given.package_name and alert.resolved_at is null
          and (summed.closable = 0 or alert.safe_version is not null)
      ) as versions
    ) as affected
    cross join lateral (
      select case when bool_or(scope = 'runtime') then 'runtime' when bool_or(scope = 'optional') then 'optional'
          when bool_or(scope = 'development') then 'development' end as scope,
        bool_or(direct) as direct
      from tech_stack_items as item
      where item.organisation_id = given.organisation_id and item.project_id = given.project_id
        and item.ecosystem = given.ecosystem and item.package_name = given.package_name
        and item.version = any (affected.versions)
    ) as item
    where given.organisation_id = ${organisationId} and given.id = any (${alerts.map(({ id }) => id)}::text[])`.execute(
    tx,
  );
  return rows;
}
