import type * as z from 'zod';
import { planLimits, type remediation } from '../../procedures/remediation.js';
import { compareText } from '../../shared/text/compare-text.js';
import { nameOf } from '../alerts/alert-row.js';
import type { bringers } from './bringers.js';
import { commandsOf } from './commands.js';
import { packageIn } from './graph.js';
import type { importSites } from './import-sites.js';
import type { ProjectPlan } from './project-plan.js';
import type { OpenAfter, ProjectUpgrade, Refresh } from './upgrades.js';

type Plan = z.output<typeof remediation.plan.output>;
type Named = Plan['upgrades'][number];

interface Around {
  readonly bringerOf: Awaited<ReturnType<typeof bringers>>;
  readonly sitesOf: Awaited<ReturnType<typeof importSites>>;
}

export function upgradeAnswer(projectId: string, upgrade: ProjectUpgrade, { bringerOf, sitesOf }: Around): Named {
  const { ecosystem, package_name, closed, closes, mayClose, steps, leaves, knownExploited, priority, scope } = upgrade;
  return {
    ecosystem,
    package: upgrade.name,
    scope,
    steps: steps.slice(0, planLimits.steps).map(({ from, to, status, jump, how, all_versions, edits }) => {
      const bringer = bringerOf({ project_id: projectId, ecosystem, package_name, version: from });
      return {
        ...{ from, to, status, jump, how, all_versions },
        brought_by: bringer === 'itself' ? null : bringer,
        edits: edits.slice(0, planLimits.edits),
        more_files: Math.max(0, edits.length - planLimits.edits),
      };
    }),
    more_steps: Math.max(0, steps.length - planLimits.steps),
    fixes: upgrade.fixes.slice(0, planLimits.fixes),
    more_fixes: Math.max(0, upgrade.fixes.length - planLimits.fixes),
    closes,
    may_close: mayClose,
    leaves,
    known_exploited: knownExploited,
    priority,
    cves: closed.slice(0, planLimits.cves).map(({ vulnerability_id }) => vulnerability_id),
    sites: sitesOf(upgrade),
  };
}

export function refreshAnswer(refresh: Refresh): NonNullable<Plan['refresh']> {
  const { closed, closes, mayClose, knownExploited, priority } = refresh;
  const names = [...new Set(closed.map(nameOf))];
  return {
    packages: names.slice(0, planLimits.refreshed),
    more_packages: Math.max(0, names.length - planLimits.refreshed),
    ...{ closes, may_close: mayClose, known_exploited: knownExploited, priority },
    cves: closed.slice(0, planLimits.cves).map(({ vulnerability_id }) => vulnerability_id),
  };
}

/** The commands of each lock file in which something moves, for the upgrades that are named and all that is only renewed. */
export function runAnswer({ after, refreshed, lifted }: ProjectPlan, named: readonly ProjectUpgrade[]): Plan['run'] {
  const { moves, touched } = after;
  const isIn = (source: string, upgrade: ProjectUpgrade) => {
    const key = packageIn(source, upgrade);
    return moves.overrides.has(key) || [...moves.own.keys()].some((place) => place.startsWith(`${key} `));
  };
  const runs = [...touched].toSorted(compareText).flatMap((source) => {
    const renewed = [...refreshed.values()].filter((node) => node.source === source).map(({ name }) => name);
    const upgraded = named.filter((upgrade) => isIn(source, upgrade)).map(({ name }) => name);
    const tool = [...refreshed.values(), ...[...lifted.values()].map(({ node }) => node)].find(
      (node) => node.source === source,
    )?.tool;
    const names = [...new Set([...renewed, ...upgraded])].sort(compareText);
    const commands = names.length === 0 ? [] : commandsOf(source, tool ?? null, names);
    return commands.length === 0 ? [] : [{ lockfile: source, commands: [...commands] }];
  });
  return runs.slice(0, planLimits.lockfiles);
}

/** Those that fit; the first one always does. */
export function withinBudget(upgrades: readonly Named[], limit: number): Named[] {
  let characters = 0;
  const end = upgrades.findIndex((upgrade, nth) => {
    characters += JSON.stringify(upgrade).length;
    return nth > 0 && characters > limit * planLimits.characters;
  });
  return end === -1 ? [...upgrades] : upgrades.slice(0, end);
}

export function stayAnswer({ alert, why, to, bundledIn }: OpenAfter): Plan['stays_open']['worst'][number] {
  const { id, vulnerability_id, versions, tier } = alert;
  const shown = versions.slice(0, planLimits.versions);
  const named = { alert_id: id, vulnerability: vulnerability_id, package: nameOf(alert), versions: shown };
  return { ...named, tier, why, to, bundled_in: bundledIn };
}
