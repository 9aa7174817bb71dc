import { type Context, type Handlers, inOneTransaction } from '../api/handler.js';
import { listCoverage } from '../coverage/domain-coverage.js';
import { applyScan } from '../findings/apply-scan.js';
import { contentHashOf } from '../findings/identity.js';
import { listFindings } from '../findings/list-findings.js';
import { listScanJobs } from '../findings/list-scan-jobs.js';
import type { Scan, ScanResult } from '../findings/scan.js';
import { pageAnswer } from '../http/page.js';
import { findProject, requireProjectLock } from '../projects/find-project.js';
import { readReport } from '../scanners/index.js';
import { toCodeFinding, toCodeScanJob } from './code-finding.js';
import { sourceRepo } from './source-repo.js';

export const sastHandlers: Handlers['sast'] = {
  async listFindings(ctx, { source_repo, ...input }) {
    await findProject(ctx, input.project_id);
    const source = source_repo === undefined ? undefined : sourceRepo(source_repo);
    const { total, rows } = await listFindings(ctx.tx, ctx.organisationId, { ...input, domain: 'code', source });
    const scope = { organisationId: ctx.organisationId, projectId: input.project_id };
    const coverage = await listCoverage(ctx.tx, total, { scope, domain: 'code', source }, ctx.now);
    return { ...pageAnswer(input, total, rows.map(toCodeFinding)), coverage };
  },

  listScanJobs: (ctx, input) => listScanJobs(ctx, { ...input, domain: 'code', hosted: false }, toCodeScanJob),

  /** Reads the whole report, then writes it in one transaction. */
  uploadReport: {
    async read({ project_id, source_repo, report }) {
      const { scan: read, intake } = await readReport('code', report);
      const receipt = intake.receipt(read.findings.length);
      const [source, contentHash] = [sourceRepo(source_repo), await contentHashOf(report)];
      const scan = { domain: 'code', source, ...read, mode: null, contentHash } as const;
      return inOneTransaction(async (ctx) => ({ ...(await writeScan(ctx, project_id, scan)), receipt }));
    },
  },
};

async function writeScan(ctx: Context, projectId: string, scan: Scan): Promise<ScanResult> {
  const project = await requireProjectLock(ctx, projectId);
  const { outdated: _, ...result } = await applyScan(ctx.tx, project, scan, ctx.now);
  if (!result.duplicate) {
    const after = { source_repo: scan.source, scan_job_id: result.scan_job_id, ...result.findings };
    await ctx.audit({ action: 'sast.upload_report', target: { kind: 'project', id: projectId }, after });
  }
  return result;
}
