import type * as z from 'zod';
import type { dast } from '../../procedures/dast.js';
import { type Context, type Handlers, inOneTransaction } from '../api/handler.js';
import { applyScan } from '../findings/apply-scan.js';
import { contentHashOf } from '../findings/identity.js';
import type { ScanResult } from '../findings/scan.js';
import { conflict, invalidField } from '../http/api-error.js';
import { requireProjectLock } from '../projects/find-project.js';
import { originOf, type SiteScan } from '../scanners/app-scan.js';
import { readReport } from '../scanners/index.js';
import { sumOfScans } from '../scanners/sum-of-scans.js';
import { modeOf } from './app-finding.js';
import { isOver, lockServerScan } from './server-scans.js';
import { markScanned } from './targets.js';

/**
 * Reads the whole report, then writes it in one transaction. Each of its sites is one scan; the answer has their sums, and
 * the id of the scan with the most findings.
 */
export const uploadReport: Handlers['dast']['uploadReport'] = {
  async read({ report, ...input }) {
    const { scan: sites, intake } = await readReport('running_app', report);
    const contentHash = await contentHashOf(report);
    const receipt = intake.receipt(sites.reduce((sum, { findings }) => sum + findings.length, 0));
    return inOneTransaction(async (ctx) => ({ ...(await writeScans(ctx, input, sites, contentHash)), receipt }));
  },
};

type Upload = Omit<z.output<typeof dast.uploadReport.input>, 'report'>;

async function writeScans(
  ctx: Context,
  { project_id, mode, server_scan_job_id }: Upload,
  sites: readonly SiteScan[],
  contentHash: Buffer,
): Promise<ScanResult> {
  const project = await requireProjectLock(ctx, project_id);
  const { origin: jobOrigin, ...job } =
    server_scan_job_id === undefined
      ? { mode, startedAt: null, origin: null }
      : await hostedScan(ctx, project_id, server_scan_job_id, sites, contentHash);
  const results: ScanResult[] = [];
  for (const { origin: source, ...found } of sites) {
    const serverScanJobId = source === jobOrigin ? server_scan_job_id : undefined;
    const scan = { domain: 'running_app', source, ...found, ...job, contentHash, serverScanJobId } as const;
    results.push(await applyScan(ctx.tx, project, scan, ctx.now));
  }
  await markScanned(ctx.tx, project, new Set(sites.map(({ origin }) => origin)), ctx.now);
  const answer = sumOfScans(results);
  if (!answer.duplicate) {
    const { scan_job_id, findings } = answer;
    const after = { target_urls: sites.map(({ origin }) => origin), scan_job_id, ...findings };
    await ctx.audit({ action: 'dast.upload_report', target: { kind: 'project', id: project_id }, after });
  }
  return answer;
}

/**
 * The hosted job that a report is the result of. `origin` is the site whose scan finishes the job. It is null where the job
 * is already finished: the report that finished it may come again, if its answer was lost.
 */
async function hostedScan(
  ctx: Context,
  projectId: string,
  jobId: string,
  sites: readonly SiteScan[],
  contentHash: Buffer,
) {
  const job = await lockServerScan(ctx, projectId, jobId);
  const again = job.status === 'done' && job.content_hash?.equals(contentHash) === true;
  if (isOver(job) && !again) throw conflict('job_over');
  const origin = originOf(job.source);
  if (!sites.some((site) => site.origin === origin)) throw invalidField('server_scan_job_id', 'other_target');
  return { mode: modeOf(job), startedAt: job.started_at, origin: again ? null : origin };
}
