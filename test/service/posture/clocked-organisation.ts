import { createHash, randomUUID } from 'node:crypto';
import type { Domain } from '../../../src/procedures/risk.js';
import { usageReport } from '../../../src/procedures/usage-report.js';
import { alertHandlers } from '../../../src/service/alerts/handlers.js';
import { type Context, landingIn } from '../../../src/service/api/handler.js';
import { reassessProject } from '../../../src/service/assessment/reassess-project.js';
import type { Transaction } from '../../../src/service/db/database.js';
import type { ReportedFinding } from '../../../src/service/findings/scan.js';
import { postureHandlers } from '../../../src/service/posture/handlers.js';
import { reachabilityHandlers } from '../../../src/service/reachability/handlers.js';
import { techStackHandlers } from '../../../src/service/tech-stack/handlers.js';
import type { TestService } from '../../support/service.js';
import { scanWithin } from '../findings/land-scan.js';
import { newProject } from '../projects/new-project.js';
import { dependency, report, type WireDependency } from '../reachability/report.js';

/** An organisation of two projects whose clock a test sets: every change happens when the test says. */
export async function clockedOrganisation(service: TestService) {
  const organisation = await service.newOrganisation({ plan: 'Enterprise' });
  const projectIds = [await newProject(service, organisation), await newProject(service, organisation)];
  const { id: organisationId, admin } = organisation;
  const caller: Context['caller'] = {
    ...{ kind: 'member', organisationId, plan: 'Enterprise', id: admin.id, name: 'Ada', role: 'admin' },
    ...{ grants: [], sessionId: 'ses_any', issuer: null, access: 'write', expiresAt: new Date('2100-01-01T00:00:00Z') },
  };
  const at = <T>(now: Date, work: (ctx: Context) => Promise<T>): Promise<T> =>
    service.database.tenant(organisationId, (tx: Transaction) =>
      work({ tx, caller, organisationId, now, question: 'test', audit: async () => {}, auditAll: async () => {} }),
    );
  return {
    organisation,
    projectIds,
    at,
    sync: (now: Date, project_id: string, purls: readonly string[]) =>
      at(now, async (ctx) => {
        const packages = purls.map((purl) => ({ purl, scope: 'runtime' as const }));
        const write = await techStackHandlers.sync.read({ project_id, source: 'lock', force: true, packages });
        return write(landingIn(ctx));
      }),
    reconcile: (now: Date, projectId: string) =>
      at(now, ({ tx }) => reassessProject(tx, { organisationId, projectId }, now)),
    scan: (
      now: Date,
      projectId: string,
      domain: Exclude<Domain, 'dependencies'>,
      findings: readonly ReportedFinding[],
    ) =>
      at(now, ({ tx }) =>
        scanWithin(
          tx,
          { organisationId, projectId },
          {
            ...{ domain, source: 'any', findings, mode: null, startedAt: null, reportedAt: null },
            searched: [{ tool: 'scanner', scope: [], parts: null }],
            contentHash: createHash('sha256').update(randomUUID()).digest(),
          },
          now,
        ),
      ),
    report: (now: Date, project_id: string, usages: ReadonlyArray<readonly [string, WireDependency['usage']]>) =>
      at(now, async (ctx) => {
        const dependencies = usages.map(([purl, usage]) => dependency(purl, usage));
        const parsed = usageReport.parse(report(dependencies, { commit: null }));
        const upload = await reachabilityHandlers.uploadUsageReport.read({ project_id, report: parsed });
        return upload(landingIn(ctx));
      }),
    acknowledge: (now: Date, project_id: string, alert_id: string, is: boolean) =>
      at(now, (ctx) =>
        is
          ? alertHandlers.acknowledge(ctx, { project_id, alert_id })
          : alertHandlers.unacknowledge(ctx, { project_id, alert_id }),
      ),
    override: (now: Date, project_id: string, verdict_id: string, verdict: 'NotExploitable' | 'Exploitable' | null) =>
      at(now, async (ctx) => {
        await reachabilityHandlers.clearOverride(ctx, { project_id, verdict_id });
        if (verdict === null) return;
        await reachabilityHandlers.overrideVerdict(ctx, { project_id, verdict_id, verdict, reason: 'any' });
      }),
    diff: (now: Date, domain: Domain, project_id: string | undefined, window_days: number) =>
      at(now, (ctx) => postureHandlers.getDomainDiff(ctx, { domain, project_id, window_days })),
    risks: (now: Date, domain: Domain, project_id: string | undefined) =>
      at(now, (ctx) => postureHandlers.getDomainRisks(ctx, { domain, project_id })),
    summary: (now: Date, domain: Domain, project_id: string | undefined) =>
      at(now, (ctx) => postureHandlers.getDomainSummary(ctx, { domain, project_id })),
    trend: (now: Date, project_id: string | undefined, window_days: number) =>
      at(now, (ctx) => postureHandlers.getTrend(ctx, { project_id, window_days })),
    verdictCounts: (now: Date, project_id: string | undefined) =>
      at(now, (ctx) => postureHandlers.getVerdictCounts(ctx, { project_id })),
  };
}

export type ClockedOrganisation = Awaited<ReturnType<typeof clockedOrganisation>>;
