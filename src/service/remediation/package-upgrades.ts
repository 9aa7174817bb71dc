import { maxSteps, type RankedFinding, type RankedRisk, type Upgrade } from '../../procedures/risk.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { compareText } from '../../shared/text/compare-text.js';
import { nameOf } from '../alerts/alert-row.js';
import type { Context } from '../api/handler.js';
import { compareVersions } from '../matching/versions/index.js';
import { bringers } from '../tech-stack/bringers.js';
import { type AffectedPackage, affectedPackages } from './affected-packages.js';
import { type Target, targetOf } from './target.js';

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
