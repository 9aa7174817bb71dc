import { planLimits } from '../../procedures/remediation.js';
import type { Context, Handlers } from '../api/handler.js';
import { countFindings } from '../counts/finding-counts.js';
import { domainCoverage } from '../coverage/coverage.js';
import type { Transaction } from '../db/database.js';
import { findProject, type ProjectKey } from '../projects/find-project.js';
import { loadReleases } from '../registries/releases.js';
import { bringers } from '../tech-stack/bringers.js';
import { baseImages } from './base-images.js';
import type { Fate } from './fates.js';
import { importSites } from './import-sites.js';
import { refreshAnswer, runAnswer, stayAnswer, upgradeAnswer, withinBudget } from './plan-answer.js';
import { loadPlanInputs, planWithReleases } from './plan-with-releases.js';
import { type ProjectUpgrade, upgradesOf } from './upgrades.js';

/**
 * What closes most, and what is left when it is done. A plan of a large project takes long to compute, so no transaction is
 * open meanwhile: the embedded database has one for all.
 */
export const getPlan: Handlers['remediation']['plan'] = async (
  { organisationId, step },
  { project_id, limit, skip },
) => {
  const project = { organisationId, projectId: project_id };
  const { beyond, ...read } = await step((ctx) => readProject(ctx, project));
  const planned = await planWithReleases(read, (names) => step(({ tx, now }) => loadReleases(tx, names, now)));
  const { refresh, upgrades, stays } = upgradesOf(planned);
  const fates = planned.packages.flatMap((each) => [...each.fates.values()]);
  const having = (fate: Fate) => fates.filter((each) => each === fate).length;
  const [closes, mayClose, left] = [having('closed'), having('unknown'), beyond + having('left')];
  const first = upgrades.slice(skip, skip + limit);
  const around = await step(({ tx }) => readSurroundings(tx, project, first));
  const answers = first.map((upgrade) => upgradeAnswer(project_id, upgrade, around));
  const named = withinBudget(answers, limit);
  const others = upgrades.slice(skip + named.length);
  return {
    refresh: refresh && refreshAnswer(refresh),
    upgrades: named,
    unnamed: { upgrades: others.length, closes: others.reduce((total, each) => total + each.closes, 0) },
    run: runAnswer(planned, first.slice(0, named.length)),
    stays_open: { total: stays.length, worst: stays.slice(0, planLimits.stays).map(stayAnswer) },
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
};

/** All that the plan and its proof are made of, as it is at one time. */
async function readProject(ctx: Context, project: ProjectKey) {
  const { tx, now } = ctx;
  await findProject(ctx, project.projectId);
  const scope = { scope: project, domain: 'dependencies' } as const;
  return {
    ...(await loadPlanInputs(ctx, project)),
    base_images: await baseImages(ctx, project),
    coverage: await domainCoverage(tx, scope, now, countFindings(tx, project, 'dependencies')),
  };
}

/** What brings the packages in whose upgrades are named, and where the code imports them. */
async function readSurroundings(tx: Transaction, project: ProjectKey, first: readonly ProjectUpgrade[]) {
  const installed = first.flatMap(({ ecosystem, package_name, steps }) =>
    steps
      .slice(0, planLimits.steps)
      .map(({ from }) => ({ project_id: project.projectId, ecosystem, package_name, version: from })),
  );
  return {
    bringerOf: await bringers(tx, project.organisationId, installed),
    sitesOf: await importSites(tx, project, first),
  };
}
