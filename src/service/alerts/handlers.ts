import type { Handlers } from '../api/handler.js';
import { answerPage, asOf } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import { acknowledgeHandlers } from './acknowledge.js';
import { toAlert } from './alert-row.js';
import { listAlerts } from './list-alerts.js';
import { alertsCoverage } from './list-coverage.js';
import { adviseAlerts } from './package-advice.js';

/** The procedures that need nothing but alerts; `alert-details/` has the others. */
export const alertHandlers: Omit<Handlers['alerts'], 'get' | 'listHistory'> = {
  async list(ctx, input) {
    const scope = await listScope(ctx, input);
    const [as_of, { total, rows }] = await Promise.all([
      asOf(ctx, input),
      listAlerts(ctx.tx, scope, input),
      requireAsked(ctx, input.project_id),
    ]);
    const coverage = total > 0 ? null : await alertsCoverage(ctx, scope, input);
    const page = answerPage(ctx, input, { as_of, total, rows });
    const projectOf = await nameProjects(ctx, input.project_id, page.items);
    const advised = await adviseAlerts(ctx, page.items);
    return { ...page, items: advised.map((row) => ({ ...toAlert(row), ...projectOf(row) })), coverage };
  },

  ...acknowledgeHandlers,
};
