import { loadVulnerabilityGroup } from '../alerts/vulnerability-group.js';
import type { Handlers } from '../api/handler.js';
import { pageAnswer } from '../http/page.js';
import { listScope } from '../projects/list-scope.js';
import { exposedCoverage } from './exposed-coverage.js';
import { countExposed, listExposed } from './exposed-rows.js';

/** All alerts and findings of the organisation about a vulnerability, and what stands behind there being none. */
export const findExposed: Handlers['intelligence']['findExposed'] = async (ctx, input) => {
  const { tx, now } = ctx;
  const scope = await listScope(ctx, { group: input.group });
  const group = await loadVulnerabilityGroup(tx, input.cve);
  const counts = await countExposed(tx, scope, group);
  const total = Object.values(counts).reduce((sum, { all }) => sum + all, 0);
  const items = await listExposed(tx, scope, group, input);
  const coverage = await exposedCoverage(tx, { scope, asked: input.cve, group, counts, now });
  return { ...pageAnswer(input, total, items), coverage };
};
