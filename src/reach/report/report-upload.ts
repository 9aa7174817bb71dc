import type * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { describeInvalid, fieldErrorsText } from '../../shared/schema/describe-invalid.js';
import type { WireReport } from '../analysis/site-evidence.js';
import { call, type RemoteService } from '../remote/remote-service.js';

const { uploadUsageReport } = procedures.reachability;

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

/** Declares from where a project can be reached. */
export async function declareExposure(
  service: RemoteService,
  project_id: string,
  exposure: z.input<typeof procedures.projects.update.input>['exposure'],
): Promise<void> {
  await call(service, procedures.projects.update, { project_id, exposure });
}
