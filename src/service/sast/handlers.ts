import type { Context, Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/coverage.js';
import { type AppliedScan, applyScan, finishScans } from '../findings/apply-scan.js';
import { contentHashOf } from '../findings/identity.js';
import { filterGaps, listFindings } from '../findings/list-findings.js';
import { listScanJobs } from '../findings/list-scan-jobs.js';
import { requireKnownSource } from '../findings/require-known-source.js';
import { answerPage, asOf } from '../http/page.js';
import { type ProjectKey, requireAsked, requireProjectLock } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import { readReport } from '../scanners/index.js';
import { toCodeFinding, toCodeScanJob } from './code-finding.js';
import { sourceRepo } from './source-repo.js';

export const sastHandlers: Handlers['sast'] = {
  async listFindings(ctx, { source_repo, ...input }) {
    const source = source_repo === undefined ? undefined : sourceRepo(source_repo);
    const scope = await listScope(ctx, input);
    const filter = { ...input, domain: 'code', source } as const;
    const [as_of, { total, rows }] = await Promise.all([
      asOf(ctx, input),
      listFindings(ctx.tx, scope, filter),
      requireAsked(ctx, input.project_id),
    ]);
    await requireKnownSource(ctx.tx, total, { scope, domain: 'code', field: 'source_repo', source });
    const coverage = await listCoverage(ctx.tx, total, { scope, domain: 'code', source }, ctx.now, async () => ({
      gaps: await filterGaps(ctx.tx, scope, filter),
    }));
    const page = answerPage(ctx, input, { as_of, total, rows });
    const projectOf = await nameProjects(ctx, input.project_id, page.items);
    return { ...page, items: page.items.map((row) => ({ ...toCodeFinding(row), ...projectOf(row) })), coverage };
  },

  listScanJobs: (ctx, input) => listScanJobs(ctx, { ...input, domain: 'code', hosted: false }, toCodeScanJob),

  /** Reads the whole report, then writes it in short steps. */
  uploadReport: {
    async read({ project_id, source_repo, report }) {
      const { scan: read, intake } = await readReport('code', report);
      const receipt = intake.receipt(read.findings.length);
      const [source, contentHash] = [sourceRepo(source_repo), await contentHashOf(report)];
      const scan = { domain: 'code', source, ...read, mode: null, contentHash } as const;
      return async (ctx) => {
        const project = { organisationId: ctx.organisationId, projectId: project_id };
        const applied = await applyScan(ctx.landing.step, project, scan, ctx.now);
        return ctx.landing.finish(async (tx) => {
          const within = ctx.within(tx);
          await requireProjectLock(within, project_id);
          await finishScans(tx, project, [applied], ctx.now);
          await auditScan(within, project, applied);
          return { ...applied.result, receipt };
        });
      };
    },
  },
};

async function auditScan(ctx: Context, { projectId }: ProjectKey, { scan, result }: AppliedScan): Promise<void> {
  if (result.duplicate) return;
  const after = { source_repo: scan.source, scan_job_id: result.scan_job_id, ...result.findings };
  await ctx.audit({ action: 'sast.upload_report', target: { kind: 'project', id: projectId }, after });
}
