import * as z from 'zod';
import { coverageOfNone } from './coverage.js';
import { defineProcedure, defineQuery } from './define.js';
import { findingSeverity, findingState, reportAnswer, scanStatus, seen, tierCounts } from './findings.js';
import { formatTitles, maxReportBytes } from './scanner-formats.js';
import { addressText, cweText, wordText } from './texts.js';
import { cweFilter, tier } from './vulnerability.js';
import {
  changedSince,
  deleted,
  givenName,
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

const targetUrl = z.url({ protocol: /^https?$/ }).max(2048);
export const scanMode = z.enum(['baseline', 'full', 'api']);

const dastFinding = z.object({
  id,
  tool: z.string(),
  rule_id: wordText,
  title: z.string(),
  severity: findingSeverity,
  confidence: wordText.nullable(),
  tier,
  state: findingState,
  target_url: addressText,
  instances: z.array(
    z.object({
      url: addressText,
      method: wordText.nullable(),
      parameter: z.string().nullable(),
      attack: z.string().optional(),
      evidence: z.string().optional(),
    }),
  ),
  instance_count: z.int(),
  cwes: z.array(cweText),
  description: z.string().nullable(),
  solution: z.string().nullable(),
  references: z.array(addressText),
  ...seen,
  ...ofProject,
});

const target = z.object({
  id,
  url: addressText,
  name: z.string(),
  environment: z.string().nullable(),
  last_scanned_at: timestamp.nullable(),
});

const serverScanJob = z.object({
  id,
  status: scanStatus,
  mode: scanMode,
  target_url: addressText,
  tiers: tierCounts,
  error: z.string().nullable(),
  queued_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});

export const dast = {
  listFindings: defineQuery({
    tool: 'list_dast_findings',
    http: 'GET /api/projects/{project_id}/dast/findings',
    everywhere: 'GET /api/dast/findings',
    title: 'List DAST findings',
    description: 'What scans of running apps (DAST) found, worst first.',
    input: pageInput({
      ...someProjects,
      ...changedSince,
      finding_id: id.optional().describe('in any state'),
      state: z.enum(['open', 'all', 'fixed']).default('open'),
      severity: someOf(findingSeverity).optional(),
      cwe: cweFilter,
      target_url: z.string().max(2048).optional().describe('a scanned site'),
    }),
    output: pageOf(dastFinding).extend({ coverage: coverageOfNone }),
    summary: [
      ...[
        'id',
        'rule_id',
        'title',
        'severity',
        'confidence',
        'tier',
        'state',
        'target_url',
        'instance_count',
        'cwes',
        'first_seen_at',
        'project',
      ],
    ],
  }),
  listScanJobs: defineQuery({
    tool: 'list_dast_scan_jobs',
    http: 'GET /api/projects/{project_id}/dast/scan-jobs',
    everywhere: 'GET /api/dast/scan-jobs',
    title: 'List DAST scan jobs',
    description: 'When running apps were scanned (DAST) and how many findings came; newest first.',
    input: pageInput(someProjects),
    output: pageOf(
      z.object({
        id,
        status: scanStatus,
        mode: scanMode,
        target_url: addressText,
        tool: z.string(),
        tiers: tierCounts,
        started_at: timestamp.nullable(),
        finished_at: timestamp.nullable(),
        ...ofProject,
      }),
    ),
  }),
  listTargets: defineQuery({
    tool: 'list_dast_targets',
    http: 'GET /api/projects/{project_id}/dast/targets',
    everywhere: 'GET /api/dast/targets',
    title: 'List DAST targets',
    description: 'Sites to scan (DAST) and when each was last scanned; by name.',
    input: pageInput(someProjects),
    output: pageOf(target.extend(ofProject)),
  }),
  listServerScanJobs: defineQuery({
    tool: 'list_dast_server_scan_jobs',
    http: 'GET /api/projects/{project_id}/dast/server-scan-jobs',
    everywhere: 'GET /api/dast/server-scan-jobs',
    title: 'List hosted DAST scan jobs',
    description: 'Hosted scans of running apps (DAST), their state and errors; newest first.',
    input: pageInput(someProjects),
    output: pageOf(serverScanJob.extend(ofProject)),
  }),
  uploadReport: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/dast/reports',
    body: 'report',
    mediaTypes: ['application/xml', 'text/xml'],
    maxBytes: maxReportBytes,
    title: 'Upload a ZAP report',
    description: `${formatTitles('running_app')} JSON, or XML as text. Findings of the same site that scans of this mode had, and this one has not, are fixed.`,
    input: z.strictObject({
      project_id: projectRef,
      mode: scanMode.default('baseline'),
      server_scan_job_id: id.optional().describe('the hosted scan that this is the result of'),
      report: z.union([jsonObject, z.string()]),
    }),
    output: reportAnswer,
  }),
  addTarget: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/dast/targets',
    title: 'Add a DAST target',
    description: 'Registers a site to scan.',
    input: z.strictObject({
      project_id: projectRef,
      url: targetUrl,
      name: givenName(200),
      environment: line(100).optional(),
    }),
    output: target,
  }),
  removeTarget: defineProcedure({
    access: 'destructive',
    http: 'DELETE /api/projects/{project_id}/dast/targets/{target_id}',
    title: 'Remove a DAST target',
    description: 'Its findings and jobs stay.',
    input: z.strictObject({ project_id: projectRef, target_id: id }),
    output: deleted,
  }),
  queueServerScan: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/dast/server-scan-jobs',
    title: 'Queue a hosted DAST scan',
    description: 'A runner claims it and uploads its report.',
    input: z.strictObject({ project_id: projectRef, target_id: id, mode: scanMode.default('baseline') }),
    output: serverScanJob,
  }),
  claimServerScan: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/dast/server-scan-jobs/claim',
    title: 'Claim a hosted DAST scan',
    description: 'For runners: the oldest queued job, now running; null where there is none. A job goes to one runner.',
    input: z.strictObject({ project_id: projectRef, runner: line(200) }),
    output: z.object({ job: serverScanJob.nullable() }),
  }),
  failServerScan: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/dast/server-scan-jobs/{job_id}/fail',
    title: 'Report a hosted DAST scan as failed',
    description: 'For runners. A scan that succeeds is finished by its report.',
    input: z.strictObject({ project_id: projectRef, job_id: id, error: line(500) }),
    output: serverScanJob,
  }),
};
