import { type Handlers, inOneTransaction } from '../api/handler.js';
import { findProject, requireProjectLock } from '../projects/find-project.js';
import { listVerdicts } from './list-verdicts.js';
import { clearOverride, setOverride } from './override.js';
import { recomputeVerdicts } from './recompute.js';
import { prepareReport, storeReport } from './store-report.js';
import { usageDependencies } from './usage-report-rows.js';
import { requireVerdict } from './verdict-row.js';

export const reachabilityHandlers: Handlers['reachability'] = {
  listVerdicts,

  async getVerdict(ctx, { project_id, verdict_id }) {
    await findProject(ctx, project_id);
    return requireVerdict(ctx.tx, { organisationId: ctx.organisationId, projectId: project_id }, verdict_id);
  },

  async overrideVerdict(ctx, { verdict, reason, expires_at = null, ...key }) {
    return setOverride(ctx, key, { verdict, reason, expires_at });
  },

  clearOverride,

  /** Report, dependencies and verdicts are written in one transaction: a report that fails leaves nothing behind. */
  uploadUsageReport: {
    async read({ project_id, report }) {
      const prepared = prepareReport(report, usageDependencies(report));
      const { dependencies, complete } = prepared;
      return inOneTransaction(async (ctx) => {
        const project = await requireProjectLock(ctx, project_id);
        const { id, duplicate } = await storeReport(ctx.tx, project, prepared, ctx.caller.name, ctx.now);
        const verdicts = await recomputeVerdicts(ctx.tx, project, ctx.now);
        if (!duplicate) {
          await ctx.audit({
            action: 'usage_report.upload',
            target: { kind: 'project', id: project_id },
            after: { report_id: id, dependencies: dependencies.length, complete },
          });
        }
        return { report_id: id, duplicate, dependencies: dependencies.length, verdicts };
      });
    },
  },
};
