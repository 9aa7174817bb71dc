import * as z from 'zod';
import { coverageOfNone } from './coverage.js';
import { defineProcedure, defineQuery } from './define.js';
import { findingSeverity, findingState, reportAnswer, scanStatus, seen, tierCounts } from './findings.js';
import { formatTitles, maxReportBytes } from './scanner-formats.js';
import { addressText, cweText } from './texts.js';
import { cweFilter, tier } from './vulnerability.js';
import {
  changedSince,
  id,
  jsonObject,
  line,
  ofProject,
  pageInput,
  pageOf,
  projectRef,
  someOf,
  someProjects,
  timestamp,
} from './wire.js';

const sastFinding = z.object({
  id,
  tool: z.string(),
  rule_id: z.string(),
  title: z.string(),
  message: z.string(),
  severity: findingSeverity,
  tier,
  state: findingState,
  file: z.string().nullable(),
  line: z.int().nullable(),
  cwes: z.array(cweText),
  source_repo: z.string(),
  help_url: addressText.nullable(),
  ...seen,
  ...ofProject,
});

export const sast = {
  listFindings: defineQuery({
    tool: 'list_sast_findings',
    http: 'GET /api/projects/{project_id}/sast/findings',
    everywhere: 'GET /api/sast/findings',
    title: 'List SAST findings',
    description: 'What static analysis (SAST) found in the code, worst first.',
    input: pageInput({
      ...someProjects,
      ...changedSince,
      finding_id: id.optional().describe('in any state'),
      state: z.enum(['open', 'all', 'fixed']).default('open'),
      severity: someOf(findingSeverity).optional(),
      cwe: cweFilter,
      source_repo: z.string().max(2048).optional().describe('as list_sast_scan_jobs has it'),
    }),
    output: pageOf(sastFinding).extend({ coverage: coverageOfNone }),
    summary: [
      ...[
        'id',
        'rule_id',
        'title',
        'severity',
        'tier',
        'state',
        'file',
        'line',
        'cwes',
        'source_repo',
        'first_seen_at',
        'project',
      ],
    ],
  }),
  listScanJobs: defineQuery({
    tool: 'list_sast_scan_jobs',
    http: 'GET /api/projects/{project_id}/sast/scan-jobs',
    everywhere: 'GET /api/sast/scan-jobs',
    title: 'List SAST scan jobs',
    description: 'When the code was scanned (SAST) and how many findings came; newest first.',
    input: pageInput(someProjects),
    output: pageOf(
      z.object({
        id,
        status: scanStatus,
        source_repo: z.string(),
        tool: z.string(),
        tiers: tierCounts,
        queued_at: timestamp,
        started_at: timestamp.nullable(),
        finished_at: timestamp.nullable(),
        ...ofProject,
      }),
    ),
  }),
  uploadReport: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/sast/reports',
    body: 'report',
    maxBytes: maxReportBytes,
    title: 'Upload a SARIF report',
    description: `${formatTitles('code')}. Findings of this repository that each tool no longer reports are fixed.`,
    input: z.strictObject({ project_id: projectRef, source_repo: line(2048), report: jsonObject }),
    output: reportAnswer,
  }),
};
