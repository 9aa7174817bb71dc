import type { Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/coverage.js';
import { filterGaps, listFindings } from '../findings/list-findings.js';
import { listScanJobs } from '../findings/list-scan-jobs.js';
import { requireKnownSource } from '../findings/require-known-source.js';
import { answerPage, asOf } from '../http/page.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope, nameProjects } from '../projects/list-scope.js';
import { originOf } from '../scanners/app-scan.js';
import { toAppFinding, toAppScanJob } from './app-finding.js';
import { serverScanHandlers } from './server-scans.js';
import { targetHandlers } from './targets.js';
import { uploadReport } from './upload-report.js';

const domain = 'running_app';

/** A site by its origin. */
const spell = (url: string) => originOf(url) ?? url;

export const dastHandlers: Handlers['dast'] = {
  /** Findings are kept under the site's origin, so any address of the site finds them. */
  async listFindings(ctx, { target_url, ...input }) {
    const source = target_url === undefined ? undefined : spell(target_url);
    const scope = await listScope(ctx, input);
    const filter = { ...input, domain, source } as const;
    const [as_of, { total, rows }] = await Promise.all([
      asOf(ctx, input),
      listFindings(ctx.tx, scope, filter),
      requireAsked(ctx, input.project_id),
    ]);
    await requireKnownSource(ctx.tx, total, { scope, domain, field: 'target_url', source, spell });
    const coverage = await listCoverage(ctx.tx, total, { scope, domain, source }, ctx.now, async () => ({
      gaps: await filterGaps(ctx.tx, scope, filter),
    }));
    const page = answerPage(ctx, input, { as_of, total, rows });
    const projectOf = await nameProjects(ctx, input.project_id, page.items);
    return { ...page, items: page.items.map((row) => ({ ...toAppFinding(row), ...projectOf(row) })), coverage };
  },

  listScanJobs: (ctx, input) => listScanJobs(ctx, { ...input, domain, hosted: false }, toAppScanJob),
  ...targetHandlers,
  ...serverScanHandlers,
  uploadReport,
};
