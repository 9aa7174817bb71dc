import type * as z from 'zod';
import { planLimits, type remediation } from '../../procedures/remediation.js';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import type { Scope } from '../../shared/vulnerability-terms.js';
import { nameOf } from '../alerts/alert-row.js';
import type { Handlers } from '../api/handler.js';
import { countFindings } from '../counts/finding-counts.js';
import { domainCoverage } from '../coverage/domain-coverage.js';
import { findProject } from '../projects/find-project.js';
import { baseImages } from './base-images.js';
import { bringers, type Installed } from './bringers.js';
import { importSites } from './import-sites.js';
import { loadPlanPackages, type StackPlace } from './load-plan.js';
import { closingMostFirst, type PlannedUpgrade, planPackage, type Stay, worstFirst } from './plan-upgrades.js';
import { replay } from './replay.js';

type Plan = z.output<typeof remediation.plan.output>;
type Named = Plan['upgrades'][number];

interface Placed extends PlannedUpgrade {
  readonly scope: Scope | null;
}

/** The upgrades that close most, and what is left when they are made. */
export const getPlan: Handlers['remediation']['plan'] = async (ctx, { project_id, limit }) => {
  const { tx, organisationId, now } = ctx;
  await findProject(ctx, project_id);
  const project = { organisationId, projectId: project_id };
  const { packages, beyond } = await loadPlanPackages(tx, project);
  const upgrades: Placed[] = [];
  const stays: Stay[] = [];
  const left = { open: beyond, after: beyond };
  const pause = yieldToEventLoop();
  for (const each of packages) {
    await pause();
    const plan = planPackage(each);
    stays.push(...plan.stays);
    left.open += each.alerts.length;
    left.after += replay(each, plan).length;
    if (plan.upgrade !== null) upgrades.push({ ...plan.upgrade, scope: scopeOf(each.places, plan.upgrade) });
  }
  upgrades.sort(closingMostFirst);
  stays.sort(worstFirst);
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
  return {
    upgrades: named,
    unnamed: {
      upgrades: upgrades.length - named.length,
      closes: upgrades.slice(named.length).reduce((sum, { closed }) => sum + closed.length, 0),
    },
    stays_open: { total: stays.length, worst: stays.slice(0, planLimits.stays).map(toStay) },
    base_images: await baseImages(ctx, project),
    proof: { open: left.open, closes: left.open - left.after, left: left.after, not_planned: beyond },
    coverage: await domainCoverage(tx, scope, now, countFindings(tx, project, 'dependencies')),
  };
};

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
  upgrade: Placed,
  bringerOf: (installed: Installed) => string | null,
  sitesOf: Awaited<ReturnType<typeof importSites>>,
): Named {
  const { closed, steps, leaves, knownExploited, priority, scope } = upgrade;
  const [worst] = closed;
  const toInstalled = installedOf(projectId, upgrade);
  return {
    ecosystem: worst.ecosystem,
    package: nameOf(worst),
    scope,
    steps: steps.slice(0, planLimits.steps).map(({ edits, ...step }) => {
      const bringer = bringerOf(toInstalled(step));
      return {
        ...step,
        brought_by: bringer === 'itself' ? null : bringer,
        edits: edits.slice(0, planLimits.edits),
        more_files: Math.max(0, edits.length - planLimits.edits),
      };
    }),
    more_steps: Math.max(0, steps.length - planLimits.steps),
    closes: closed.length,
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

function toStay({ alert, why }: Stay): Plan['stays_open']['worst'][number] {
  const { id, vulnerability_id, versions, tier } = alert;
  const shown = versions.slice(0, planLimits.versions);
  return { alert_id: id, vulnerability: vulnerability_id, package: nameOf(alert), versions: shown, tier, why };
}

/** The nearest to production of the versions that move. */
function scopeOf(places: readonly StackPlace[], { steps }: PlannedUpgrade): Scope | null {
  const moved = new Set(steps.map(({ from }) => from));
  const found = new Set(places.filter(({ version }) => moved.has(version)).map(({ scope }) => scope));
  return (['runtime', 'optional', 'development'] as const).find((scope) => found.has(scope)) ?? null;
}
