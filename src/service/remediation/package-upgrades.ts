import { sql } from 'kysely';
import { maxSteps, type RankedFinding, type RankedRisk, type Upgrade } from '../../procedures/risk.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { compareText } from '../../shared/text/compare-text.js';
import { isFixedVersion, isPackageName, isVersion } from '../../shared/text/grammars.js';
import { nameOf } from '../alerts/alert-row.js';
import type { Context } from '../api/handler.js';
import { type FindingDetails, findingDetails } from '../containers/finding-details.js';
import { layerOf } from '../containers/layer-of.js';
import type { Transaction } from '../db/database.js';
import { compareVersions } from '../matching/versions/index.js';
import { bringers } from '../tech-stack/bringers.js';
import { type AffectedPackage, affectedPackages, type Target, targetOf } from './affected-packages.js';

/** The alerts, each with the upgrade of its package that closes it and others. */
export async function packageUpgrades(
  ctx: Pick<Context, 'tx' | 'organisationId' | 'now'>,
  alerts: readonly RankedFinding[],
): Promise<RankedRisk[]> {
  const ids = alerts.map(({ id }) => id);
  const upgrades = [...(await affectedPackages(ctx, ids))].map(([id, affected]) => ({
    affected,
    ...upgradeOf(affected, id),
  }));
  const installed = upgrades.flatMap(({ affected, shown }) => shown.map(({ from }) => versionOf(affected, from)));
  const bringerOf = await bringers(ctx.tx, ctx.organisationId, installed);
  const known = new Map(upgrades.map((upgrade) => [upgrade.worst, upgrade]));
  return alerts.map((alert) => {
    const upgrade = known.get(alert.id);
    if (upgrade === undefined) return { ...alert, fix: null };
    const { affected, shown, summed } = upgrade;
    const steps = shown.map(({ from, to, status }) => ({
      from,
      to,
      status,
      direct: bringerOf(versionOf(affected, from)),
    }));
    return { ...alert, fix: { package: nameOf(affected), steps, ...summed } };
  });
}

function versionOf({ project_id, ecosystem, package_name }: AffectedPackage, version: string) {
  return { project_id, ecosystem, package_name, version };
}

interface PackageUpgrade {
  readonly worst: string;
  readonly shown: readonly Target[];
  readonly summed: Omit<Upgrade, 'package' | 'steps'>;
}

/**
 * What closes when each affected version of the package goes to its target, and the versions to show first: those of the
 * worst alert, then the highest.
 */
function upgradeOf(affected: AffectedPackage, worst: string): PackageUpgrade {
  const { ecosystem, alerts, advisories, advice, scope } = affected;
  const versions = [...new Set(alerts.flatMap((alert) => alert.versions))];
  const targets = new Map(versions.map((version) => [version, targetOf(ecosystem, version, advisories, advice)]));
  const closed = alerts.filter((alert) => closes(targets, alert));
  const priorities = closed.flatMap(({ effective_priority: priority }) => (priority === null ? [] : [priority]));
  const ofWorst = new Set(alerts.find(({ id }) => id === worst)?.versions);
  const shown = highestFirst(ecosystem, [...targets.values()]).toSorted(
    (a, b) => Number(ofWorst.has(b.from)) - Number(ofWorst.has(a.from)),
  );
  return {
    worst,
    shown: shown.slice(0, maxSteps),
    summed: {
      more: Math.max(0, versions.length - maxSteps),
      scope,
      closes: closed.length,
      leaves: alerts.length - closed.length,
      priority: priorities.length === 0 ? null : priorities.reduce((sum, each) => sum + each, 0),
    },
  };
}

type Closable = Pick<AffectedPackage['alerts'][number], 'versions' | 'advisory_ids'>;

/** Whether all its versions have a target that none of its advisories affects. */
export function closes(targets: ReadonlyMap<string, Target>, { versions, advisory_ids }: Closable): boolean {
  return versions.every((version) => {
    const target = targets.get(version);
    return target !== undefined && target.to !== null && !advisory_ids.some((id) => target.remaining.has(id));
  });
}

/** As the ecosystem orders versions. */
function highestFirst(ecosystem: Ecosystem, targets: readonly Target[]): Target[] {
  return targets.toSorted((a, b) => compareVersions(ecosystem, b.from, a.from) || compareText(a.from, b.from));
}

interface ImageFinding {
  readonly id: string;
  readonly details: unknown;
  readonly base_layers: number | null;
  readonly closes: number;
  readonly open: number;
}

/** Name and version of a finding's package. */
const installedSql = sql`(details -> 'package') - 'type'`;

/**
 * The findings of images, each with the upgrade that its report names. It closes the open findings of the image on the same
 * version of the package with the same fixed version: distributions order versions in ways that are not compared here.
 */
export async function imageUpgrades(
  tx: Transaction,
  organisationId: string,
  findings: readonly RankedFinding[],
): Promise<RankedRisk[]> {
  const { rows } = await sql<ImageFinding>`
    with given as materialized (
      select * from findings where organisation_id = ${organisationId} and id = any (${findings.map(({ id }) => id)}::text[])
    ),
    -- One pass over each image, whatever the number of its packages.
    counted as materialized (
      select project_id, source, ${installedSql} as installed, details ->> 'fixed_version' as fixed, count(*)::int as count
      from findings
      where organisation_id = ${organisationId} and domain = 'containers' and state_rank = 0
        and (project_id, source) in (select project_id, source from given)
        and details #> '{package,name}' in (select details #> '{package,name}' from given)
      group by project_id, source, ${installedSql}, details ->> 'fixed_version'
    )
    select given.id, given.details, image.base_layers, summed.open, summed.closes
    from given
    left join container_images as image on image.organisation_id = given.organisation_id
      and image.project_id = given.project_id and image.ref = given.source
    cross join lateral (
      select coalesce(sum(count), 0)::int as open,
        coalesce(sum(count) filter (where fixed = given.details ->> 'fixed_version'), 0)::int as closes
      from counted
      where counted.project_id = given.project_id and counted.source = given.source
        and counted.installed = (given.details -> 'package') - 'type'
    ) as summed`.execute(tx);
  const known = new Map(rows.map((row) => [row.id, row]));
  return findings.map((finding) => {
    const row = known.get(finding.id);
    return { ...finding, fix: row === undefined ? null : fixOf(row, findingDetails.parse(row.details)) };
  });
}

const scopeOf = { base_image: 'base_image', own: 'own_layer', unknown: null } as const;

/** Null where the report's words are no names and versions: what they say is no upgrade. */
function fixOf({ base_layers, closes, open }: ImageFinding, found: FindingDetails): RankedRisk['fix'] {
  const { package: installed, fixed_version: to } = found;
  if (!isPackageName(installed.name) || !isVersion(installed.version) || (to !== null && !isFixedVersion(to)))
    return null;
  return {
    package: installed.name,
    steps: [{ from: installed.version, to, status: null, direct: null }],
    more: 0,
    scope: scopeOf[layerOf(found.layers, base_layers)],
    closes,
    leaves: open - closes,
    priority: null,
  };
}
