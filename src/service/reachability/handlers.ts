import type { Handlers } from '../api/handler.js';
import { findProject, requireAsked } from '../projects/find-project.js';
import { nameProjects } from '../projects/list-scope.js';
import { landReport } from './land-report.js';
import { listVerdicts } from './list-verdicts.js';
import { clearOverride, setOverride } from './override.js';
import { prepareReport } from './store-report.js';
import { usageDependencies } from './usage-report-rows.js';
import { verdictProgress } from './verdict-progress.js';
import { requireVerdict } from './verdict-row.js';

export const reachabilityHandlers: Handlers['reachability'] = {
  listVerdicts,

  async getVerdict(ctx, { project_id, verdict_id }) {
    await requireAsked(ctx, project_id);
    const scope = { organisationId: ctx.organisationId, projectId: project_id };
    const verdict = await requireVerdict(ctx.tx, scope, verdict_id);
    const projectOf = await nameProjects(ctx, project_id, [verdict]);
    return { ...verdict, ...projectOf(verdict) };
  },

  async overrideVerdict(ctx, { verdict, reason, expires_at = null, ...key }) {
    return setOverride(ctx, key, { verdict, reason, expires_at });
  },

  clearOverride,

  async progress(ctx, { project_id }) {
    const { alerts_due_after, verdicts_due_after } = await findProject(ctx, project_id);
    return verdictProgress(ctx, project_id, { alerts_due_after, verdicts_due_after });
  },

  uploadUsageReport: {
    async read({ project_id, report }) {
      const prepared = prepareReport(report, usageDependencies(report));
      return (ctx) => landReport(ctx, project_id, prepared);
    },
  },
};
