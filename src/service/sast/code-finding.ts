import type * as z from 'zod';
import type { sast } from '../../procedures/sast.js';
import { commonFacts, commonJobFacts, type FindingRow, type ScanJobRow } from '../findings/finding-row.js';
import { codeDetails } from '../scanners/code-scan.js';

type CodeFinding = z.output<typeof sast.listFindings.output>['items'][number];
type CodeScanJob = z.output<typeof sast.listScanJobs.output>['items'][number];

/** A finding in code as the API answers it. */
export function toCodeFinding(row: FindingRow): CodeFinding {
  const { rule_id, title, source: source_repo } = row;
  const { in_production: _production, vulnerabilities: _named, ...details } = codeDetails.parse(row.details);
  return { ...commonFacts(row), rule_id, title, source_repo, ...details };
}

/** File and line; the repository where the report names no file. */
export function codeLocation(row: FindingRow): string {
  const { file, line } = codeDetails.parse(row.details);
  if (file === null) return row.source;
  return line === null ? file : `${file}:${line}`;
}

/** A scan of code as the API answers it. */
export function toCodeScanJob(row: ScanJobRow): CodeScanJob {
  const { source: source_repo, tool, queued_at } = row;
  return { ...commonJobFacts(row), source_repo, tool: tool ?? '', queued_at };
}
