import type { Handlers } from '../api/handler.js';
import { loadPage, withItems } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { isAtRisk } from '../tech-stack/at-risk.js';
import { loadHealth } from '../tech-stack/health.js';
import { itemsByName } from '../tech-stack/list-items.js';
import { healthCoverage } from './health-coverage.js';

/**
 * A project's deprecated, unmaintained or malicious packages, by name. Healthy and unknown ones are left out: `coverage`
 * counts the latter.
 */
export const getPackageHealth: Handlers['intelligence']['getPackageHealth'] = async (ctx, input) => {
  const { tx, organisationId, now } = ctx;
  await findProject(ctx, input.project_id);
  const project = { organisationId, projectId: input.project_id };
  const atRisk = tx
    .selectFrom('tech_stack_items as item')
    .where('item.organisation_id', '=', organisationId)
    .where('item.project_id', '=', input.project_id)
    .where(isAtRisk(project, 'health'))
    .selectAll();
  const page = await loadPage(ctx, itemsByName, input, atRisk);
  const health = await loadHealth(tx, page.items);
  const items = page.items.map(({ id, ecosystem, name, version, direct }, index) => {
    const found = health[index];
    return found && { item_id: id, ecosystem, name, version, direct, health: found };
  });
  const coverage = await healthCoverage(tx, project, { total: page.total, now });
  return { ...withItems(page, items), coverage };
};
