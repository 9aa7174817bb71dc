import type * as z from 'zod';
import { planLimits, type remediation } from '../../procedures/remediation.js';
import { nameOf } from '../alerts/alert-row.js';
import type { Context, Handlers } from '../api/handler.js';
import { countFindings } from '../counts/finding-counts.js';
import { domainCoverage } from '../coverage/domain-coverage.js';
import type { Transaction } from '../db/database.js';
import { findProject, type ProjectKey } from '../projects/find-project.js';
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

/**
 * The upgrades that close most, and what is left when they are made. A plan of a large project takes long to compute, so no transaction is
 * open meanwhile: the embedded database has one for all.
 */
export const getPlan: Handlers['remediation']['plan'] = {
  async inSteps({ organisationId, step }, { project_id, limit, skip }) {
    const project = { organisationId, projectId: project_id };
    const { packages, beyond, graph, ...read } = await step((ctx) => readProject(ctx, project));
    const planned = await planProject(packages, graph);
    const upgrades = planned.upgrades.toSorted(closingMostFirst);
    const stays = planned.stays.toSorted(worstFirst);
    const having = (fate: Fate) => [...planned.fates.values()].filter((each) => each === fate).length;
    const [closes, mayClose, left] = [having('closed'), having('unknown'), beyond + having('left')];
    const first = upgrades.slice(skip, skip + limit);
    const { bringerOf, sitesOf } = await step(({ tx }) => readSurroundings(tx, project, first));
    const named = withinBudget(
      first.map((upgrade) => toAnswer(project_id, upgrade, bringerOf, sitesOf)),
      limit,
    );
    const sum = (all: readonly ProjectUpgrade[], of: (upgrade: ProjectUpgrade) => number) =>
      all.reduce((total, each) => total + of(each), 0);
    const others = upgrades.slice(skip + named.length);
    return {
      upgrades: named,
      unnamed: { upgrades: others.length, closes: sum(others, (upgrade) => upgrade.closes) },
      run: commandsOf(first.slice(0, named.length)),
      stays_open: { total: stays.length, worst: stays.slice(0, planLimits.stays).map(toStay) },
      base_images: read.base_images,
      proof: {
        open: closes + mayClose + left,
        closes,
        may_close: mayClose,
        left,
        not_planned: beyond,
      },
      coverage: read.coverage,
    };
  },
};

/** All that the plan and its proof are made of, as it is at one time. */
async function readProject(ctx: Context, project: ProjectKey) {
  const { tx, now } = ctx;
  await findProject(ctx, project.projectId);
  const scope = { scope: project, domain: 'dependencies' } as const;
  return {
    ...(await loadPlanPackages(ctx, project)),
    graph: await loadGraph(tx, project),
    base_images: await baseImages(ctx, project),
    coverage: await domainCoverage(tx, scope, now, countFindings(tx, project, 'dependencies')),
  };
}

/** What brings the packages in whose upgrades are named, and where the code imports them. */
async function readSurroundings(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  first: readonly ProjectUpgrade[],
) {
  const installed = first.flatMap((upgrade) =>
    upgrade.steps.slice(0, planLimits.steps).map(installedOf(projectId, upgrade)),
  );
  const worst = first.map(({ closed: [each] }) => each.id);
  return {
    bringerOf: await bringers(tx, organisationId, installed),
    sitesOf: await importSites(tx, organisationId, worst),
  };
}

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
