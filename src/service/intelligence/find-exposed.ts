import type { Handlers } from '../api/handler.js';
import { answerPage, withItems } from '../http/page.js';
import { listScope } from '../projects/list-scope.js';
import { exposedCoverage } from './exposed-coverage.js';
import { countExposed, exposedPlaces, loadExposed } from './exposed-rows.js';
import { loadVulnerabilityGroup } from './vulnerability-group.js';

/** All alerts and findings of the organisation about a vulnerability, and what stands behind there being none. */
export const findExposed: Handlers['intelligence']['findExposed'] = async (ctx, input) => {
  const { tx, now } = ctx;
  const scope = await listScope(ctx, { group: input.group });
  const group = await loadVulnerabilityGroup(tx, input.cve);
  const counts = await countExposed(tx, scope, group, input);
  const total = Object.values(counts).reduce((sum, { all }) => sum + all, 0);
  const page = await answerPage(ctx, input, total, await exposedPlaces(tx, scope, group, input));
  const items = await loadExposed(tx, scope, page.items);
  const coverage = await exposedCoverage(tx, { scope, asked: input.cve, group, counts, now });
  return { ...withItems(page, items), coverage };
};
