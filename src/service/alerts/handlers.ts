import type { Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/domain-coverage.js';
import { pageAnswer } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { nameProjects } from '../projects/name-projects.js';
import { acknowledgeHandlers } from './acknowledge.js';
import { toAlert } from './alert-row.js';
import { listAlerts } from './list-alerts.js';

/** The procedures that need nothing but alerts; `alert-details/` has the others. */
export const alertHandlers: Omit<Handlers['alerts'], 'get' | 'listHistory'> = {
  async list(ctx, input) {
    const [{ total, rows }] = await Promise.all([
      listAlerts(ctx.tx, ctx.organisationId, input),
      requireAsked(ctx, input.project_id),
    ]);
    const scope = { organisationId: ctx.organisationId, projectId: input.project_id };
    const coverage = await listCoverage(ctx.tx, total, { scope, domain: 'dependencies' }, ctx.now);
    const projectOf = await nameProjects(ctx, input.project_id, rows);
    const items = rows.map((row) => ({ ...toAlert(row), ...projectOf(row) }));
    return { ...pageAnswer(input, total, items), coverage };
  },

  ...acknowledgeHandlers,
};
