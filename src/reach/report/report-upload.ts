import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { describeInvalid, fieldErrorsText } from '../../shared/schema/parse-input.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { WireReport } from '../analysis/site-evidence.js';
import { call, type RemoteService } from '../remote/remote-service.js';

const { uploadUsageReport, progress } = procedures.reachability;

export type ReportUpload = z.output<typeof uploadUsageReport.output>;

/** Uploads a usage report to a project. Every failure is thrown as `RequestRejected`. */
export function uploadReport(service: RemoteService, project_id: string, report: WireReport): Promise<ReportUpload> {
  const input = { project_id, report };
  const checked = uploadUsageReport.input.safeParse(input);
  if (!checked.success) throw new TypeError(fieldErrorsText(describeInvalid(uploadUsageReport.input, checked.error)));
  const nameOf = (field: string) => {
    const purl = report.dependencies[Number(/^report\.dependencies\.(\d+)/.exec(field)?.[1])]?.purl;
    return purl === undefined ? field : `${field} (${purl})`;
  };
  return call(service, uploadUsageReport, input, nameOf);
}

/** Between two questions, and in all: the service judges some hundred alerts a second. */
const everyMs = 1_000;
const maxWaitMs = 10 * 60_000;

/**
 * Waits until the service has judged all alerts of a project, for ten minutes at most. Answers whether it has.
 */
export async function awaitVerdicts(service: RemoteService, project_id: string): Promise<boolean> {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    const { pending, alerts, judged } = await call(service, progress, { project_id });
    if (!pending) return true;
    if (performance.now() >= until) return false;
    service.progress?.(`the service has judged ${formatCount(judged)} of ${formatCount(alerts)} alerts`);
    await delay(everyMs);
  }
}

/** Declares from where a project can be reached. */
export async function declareExposure(
  service: RemoteService,
  project_id: string,
  exposure: z.input<typeof procedures.projects.update.input>['exposure'],
): Promise<void> {
  await call(service, procedures.projects.update, { project_id, exposure });
}
