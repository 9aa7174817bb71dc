import type * as z from 'zod';
import { planLimits, type remediation } from '../../procedures/remediation.js';
import { compareText } from '../../shared/text/compare-text.js';
import { nameOf } from '../alerts/alert-row.js';
import type { bringers } from '../tech-stack/bringers.js';
import { packageIn } from './graph.js';
import type { importSites } from './import-sites.js';
import type { ProjectPlan } from './project-plan.js';
import { commandsFor } from './refresh.js';
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

/** The commands beside each lock file in which something moves: for the upgrades that are named, and for all that is only renewed. */
export function runAnswer(
  { after, refreshed, reach, packages }: ProjectPlan,
  named: readonly ProjectUpgrade[],
): Plan['run'] {
  const { moves, touched } = after;
  const edited = [...moves.own.keys(), ...moves.overrides.keys()];
  const isIn = (source: string, upgrade: ProjectUpgrade) => {
    const key = packageIn(source, upgrade);
    return edited.some((place) => place === key || place.startsWith(`${key} `));
  };
  const runs = [...touched].toSorted(compareText).flatMap((source) => {
    // Bun refuses the name of a package that is gone.
    const renewed = [...refreshed].flatMap(([key, node]) =>
      node.source === source && after.outcome?.has(key) === true ? node : [],
    );
    const upgraded = named.filter((upgrade) => isIn(source, upgrade));
    const places = packages.flatMap(({ pkg }) => pkg.places).filter((place) => place.source === source);
    const known = [...renewed, ...places];
    const isAsked = (name: string) => known.some((place) => place.name === name && place.direct !== false);
    const commands = commandsFor({
      source,
      tool: known.find(({ tool }) => tool !== null)?.tool ?? null,
      isWorkspace: known.some(({ asked_by }) => asked_by?.some(({ file }) => file.includes('/')) === true),
      isEdited: upgraded.length > 0 || renewed.some((node) => reach !== null && reach.entries(node).length > 0),
      packages: [
        ...renewed.map(({ name }) => ({ name, isAsked: isAsked(name), isEdited: false })),
        ...upgraded.map(({ name }) => ({ name, isAsked: isAsked(name), isEdited: true })),
      ].toSorted((a, b) => compareText(a.name, b.name)),
    });
    const delete_entries = [...new Set(renewed.flatMap((node) => reach?.entries(node) ?? []))].sort(compareText);
    return commands.length === 0 ? [] : [{ lockfile: source, delete_entries, commands }];
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
