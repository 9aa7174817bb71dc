import type * as z from 'zod';
import { planLimits, type remediation } from '../../procedures/remediation.js';
import { nameOf } from '../alerts/alert-row.js';
import type { Handlers } from '../api/handler.js';
import { countFindings } from '../counts/finding-counts.js';
import { domainCoverage } from '../coverage/domain-coverage.js';
import { findProject } from '../projects/find-project.js';
import { baseImages } from './base-images.js';
import { bringers, type Installed } from './bringers.js';
import { importSites } from './import-sites.js';
import { loadGraph } from './kept-packages.js';
import { loadPlanPackages } from './load-plan.js';
import { closingMostFirst, type PlannedUpgrade, worstFirst } from './plan-upgrades.js';
import { type OpenAfter, type ProjectUpgrade, planProject } from './project-plan.js';
import type { Fate } from './replay.js';
import { isShellWord } from './shell-word.js';

type Plan = z.output<typeof remediation.plan.output>;
type Named = Plan['upgrades'][number];

/** The upgrades that close most, and what is left when they are made. */
export const getPlan: Handlers['remediation']['plan'] = async (ctx, { project_id, limit }) => {
  const { tx, organisationId, now } = ctx;
  await findProject(ctx, project_id);
  const project = { organisationId, projectId: project_id };
  const { packages, beyond } = await loadPlanPackages(tx, project);
  const planned = await planProject(packages, await loadGraph(tx, project));
  const upgrades = planned.upgrades.toSorted(closingMostFirst);
  const stays = planned.stays.toSorted(worstFirst);
  const having = (fate: Fate) => [...planned.fates.values()].filter((each) => each === fate).length;
  const [closes, mayClose, left] = [having('closed'), having('unknown'), beyond + having('left')];
  const first = upgrades.slice(0, limit);
  const installed = first.flatMap((upgrade) =>
    upgrade.steps.slice(0, planLimits.steps).map(installedOf(project_id, upgrade)),
  );
  const bringerOf = await bringers(tx, organisationId, installed);
  const sitesOf = await importSites(
    tx,
    organisationId,
    first.map(({ closed: [worst] }) => worst.id),
  );
  const named = withinBudget(
    first.map((upgrade) => toAnswer(project_id, upgrade, bringerOf, sitesOf)),
    limit,
  );
  const scope = { scope: project, domain: 'dependencies' } as const;
  const sum = (all: readonly ProjectUpgrade[], of: (upgrade: ProjectUpgrade) => number) =>
    all.reduce((total, each) => total + of(each), 0);
  const others = upgrades.slice(named.length);
  return {
    upgrades: named,
    unnamed: { upgrades: others.length, closes: sum(others, ({ closes }) => closes) },
    run: commandsOf(first.slice(0, named.length)),
    stays_open: { total: stays.length, worst: stays.slice(0, planLimits.stays).map(toStay) },
    base_images: await baseImages(ctx, project),
    proof: {
      open: closes + mayClose + left,
      closes,
      may_close: mayClose,
      left,
      not_planned: beyond,
    },
    coverage: await domainCoverage(tx, scope, now, countFindings(tx, project, 'dependencies')),
  };
};

/** npm leaves locked versions where they are, also beside an override, until it is asked for the packages by name. */
function commandsOf(upgrades: readonly ProjectUpgrade[]): string[] {
  const ofNpm = upgrades.filter((each) => each.isOfNpm).map(({ closed: [worst] }) => nameOf(worst));
  const names = ofNpm.filter(isShellWord);
  return names.length === 0 ? [] : ['npm install', `npm update ${names.join(' ')}`];
}

function installedOf(projectId: string, { closed: [worst] }: PlannedUpgrade) {
  return ({ from }: { readonly from: string }): Installed => ({
    project_id: projectId,
    ecosystem: worst.ecosystem,
    package_name: worst.package_name,
    version: from,
  });
}

function toAnswer(
  projectId: string,
  upgrade: ProjectUpgrade,
  bringerOf: (installed: Installed) => string | null,
  sitesOf: Awaited<ReturnType<typeof importSites>>,
): Named {
  const { closed, closes, mayClose, steps, leaves, knownExploited, priority, scope } = upgrade;
  const [worst] = closed;
  const toInstalled = installedOf(projectId, upgrade);
  return {
    ecosystem: worst.ecosystem,
    package: nameOf(worst),
    scope,
    steps: steps.slice(0, planLimits.steps).map(({ edits, certain: _certain, ...step }) => {
      const bringer = bringerOf(toInstalled(step));
      return {
        ...step,
        brought_by: bringer === 'itself' ? null : bringer,
        edits: edits.slice(0, planLimits.edits),
        more_files: Math.max(0, edits.length - planLimits.edits),
      };
    }),
    more_steps: Math.max(0, steps.length - planLimits.steps),
    closes,
    may_close: mayClose,
    leaves,
    known_exploited: knownExploited,
    priority,
    cves: closed.slice(0, planLimits.cves).map(({ vulnerability_id }) => vulnerability_id),
    sites: sitesOf.get(worst.id) ?? null,
  };
}

/** Those that fit; the first one always does. */
function withinBudget(upgrades: readonly Named[], limit: number): Named[] {
  let characters = 0;
  const end = upgrades.findIndex((upgrade, nth) => {
    characters += JSON.stringify(upgrade).length;
    return nth > 0 && characters > limit * planLimits.characters;
  });
  return end === -1 ? [...upgrades] : upgrades.slice(0, end);
}

function toStay({ alert, why, to, bundledIn }: OpenAfter): Plan['stays_open']['worst'][number] {
  const { id, vulnerability_id, versions, tier } = alert;
  const shown = versions.slice(0, planLimits.versions);
  const named = { alert_id: id, vulnerability: vulnerability_id, package: nameOf(alert), versions: shown };
  return { ...named, tier, why, to, bundled_in: bundledIn };
}
