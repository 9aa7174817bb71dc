import type * as z from 'zod';
import type { sast } from '../../procedures/sast.js';
import { commonFacts, commonJobFacts, type FindingRow, type ScanJobRow } from '../findings/finding-row.js';
import { codeDetails } from '../scanners/code-scan.js';

type CodeFinding = z.output<typeof sast.listFindings.output>['items'][number];
type CodeScanJob = z.output<typeof sast.listScanJobs.output>['items'][number];

/** A finding in code as the API answers it. */
export function toCodeFinding(row: FindingRow): CodeFinding {
  const { rule_id, title, source: source_repo } = row;
  const { in_production: _, ...details } = codeDetails.parse(row.details);
  return { ...commonFacts(row), rule_id, title, source_repo, ...details };
}

/** A scan of code as the API answers it. */
export function toCodeScanJob(row: ScanJobRow): CodeScanJob {
  const { source: source_repo, tool, queued_at } = row;
  return { ...commonJobFacts(row), source_repo, tool: tool ?? '', queued_at };
}
