import type * as z from 'zod';
import { type dast, scanMode } from '../../procedures/dast.js';
import { commonFacts, commonJobFacts, type FindingRow, type ScanJobRow } from '../findings/finding-row.js';
import { type AppDetails, appDetails } from '../scanners/app-scan.js';

type AppFinding = z.output<typeof dast.listFindings.output>['items'][number];
type AppScanJob = z.output<typeof dast.listScanJobs.output>['items'][number];
type ServerScanJob = z.output<typeof dast.queueServerScan.output>;
type ScanMode = ServerScanJob['mode'];

/** A finding in a running application as the API answers it. */
export function toAppFinding(row: FindingRow): AppFinding {
  const { rule_id, title, source: target_url } = row;
  const { instances, vulnerabilities: _named, ...details } = appDetails.parse(row.details);
  return { ...commonFacts(row), rule_id, title, target_url, ...details, instances: instances.map(toInstance) };
}

/** Instances whose attack and evidence a list shows: those of one finding are much alike. */
const maxProofs = 3;

/** Attack and evidence only where there are any: most instances of a passive scan have none. */
function toInstance(
  { attack, evidence, ...place }: AppDetails['instances'][number],
  at: number,
): AppFinding['instances'][number] {
  if (at >= maxProofs) return place;
  return { ...place, ...(attack !== null && { attack }), ...(evidence !== null && { evidence }) };
}

/** The scan of an uploaded report as the API answers it. */
export function toAppScanJob(row: ScanJobRow): AppScanJob {
  return { ...commonJobFacts(row), mode: modeOf(row), target_url: row.source, tool: row.tool ?? '' };
}

/** A hosted scan as the API answers it. */
export function toServerScanJob(row: ScanJobRow): ServerScanJob {
  const { source: target_url, error, queued_at } = row;
  return { ...commonJobFacts(row), mode: modeOf(row), target_url, error, queued_at };
}

export function modeOf({ mode }: Pick<ScanJobRow, 'mode'>): ScanMode {
  return scanMode.parse(mode);
}
