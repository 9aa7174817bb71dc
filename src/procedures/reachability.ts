import * as z from 'zod';
import { attackVectors, confidences, symbolCases } from '../shared/vulnerability-terms.js';
import { coverageOfNone } from './coverage.js';
import { defineProcedure, defineQuery } from './define.js';
import { advisoryId, generated, purlText, versionText, wordText } from './texts.js';
import { usageReport, usageReportLimits } from './usage-report.js';
import {
  band,
  cvss,
  exposure,
  overrideVerdict,
  packageRef,
  severity,
  usageClass,
  usageFilter,
  vulnerabilityId,
} from './vulnerability.js';
import {
  changedSince,
  expectedRevision,
  id,
  ofProject,
  pageInput,
  pageOf,
  projectRef,
  prose,
  someProjects,
  timestamp,
  timestampInput,
} from './wire.js';

const evidence = z.object({
  usage: z.object({
    class: usageClass,
    confidence: z.enum(confidences),
    vulnerable_symbols: z.array(z.string()),
    symbols: z.enum(symbolCases).nullable(),
    sites: z.array(z.object({ file: z.string(), line: z.int(), column: z.int(), symbols: z.array(z.string()) })),
    site_count: z.int(),
    paths: z.array(z.array(z.string())),
    chain: z.array(z.object({ purl: purlText.nullable(), file: z.string(), line: z.int().nullable() })),
    searched: z.boolean().nullable(),
    gaps: z.array(z.string()),
    analyser: z.string(),
    reported_at: timestamp,
  }),
  exploit: z.object({
    severity: severity.nullable(),
    cvss: cvss.nullable(),
    attack_vector: z.enum(attackVectors).nullable(),
    epss: z.object({ probability: z.number(), percentile: z.number(), date: z.iso.date(), model: wordText }).nullable(),
    kev: z.object({ date_added: z.iso.date() }).nullable(),
    kev_catalogue: z.iso.date().nullable(),
  }),
  exposure,
});

export const override = z.object({
  verdict: overrideVerdict,
  reason: z.string(),
  set_by: z.string(),
  set_at: timestamp,
  expires_at: timestamp.nullable(),
  evidence_changed_since_override: z.boolean(),
});

const verdict = z.object({
  id,
  project_id: id,
  alert_id: id,
  cve: advisoryId.nullable(),
  advisory_ids: z.array(advisoryId),
  package: packageRef,
  versions: z.array(versionText),
  effective_priority: z.number().describe('0-100, an override counted in'),
  band,
  machine: z.object({
    effective_priority: z.number(),
    band,
    risk: z.number(),
    usage_factor: z.number(),
    exposure_factor: z.number(),
    raised_to_floor: z.number().nullable(),
    formula: generated(z.string()),
    computed_at: timestamp,
  }),
  evidence,
  reasoning: z.string(),
  override: override.nullable(),
  revision: z.int(),
});

const verdictId = { project_id: projectRef, verdict_id: id.describe('or its CVE, GHSA') };

export const reachability = {
  listVerdicts: defineQuery({
    tool: 'list_reachability_verdicts',
    http: 'GET /api/projects/{project_id}/reachability/verdicts',
    everywhere: 'GET /api/reachability/verdicts',
    title: 'List reachability verdicts',
    description:
      'How likely each vulnerability is exploitable in its project; highest EffectivePriority first. get_reachability_verdict says why.',
    input: pageInput({
      ...someProjects,
      ...changedSince,
      cve: vulnerabilityId.optional().describe('CVE, GHSA or other id'),
      band: band.optional(),
      usage: usageFilter,
      exposure: exposure.optional(),
      overridden: z.boolean().optional(),
    }),
    output: pageOf(verdict.extend(ofProject)).extend({ coverage: coverageOfNone }),
    summary: [
      ...['id', 'project_id', 'alert_id', 'cve', 'advisory_ids', 'package.ecosystem', 'package.name', 'versions'],
      ...['effective_priority', 'band', 'machine.band', 'evidence.usage.class', 'evidence.usage.confidence'],
      ...['evidence.usage.vulnerable_symbols', 'evidence.usage.site_count', 'evidence.exploit.severity'],
      ...['evidence.exploit.kev', 'evidence.exposure', 'override', 'project'],
    ],
  }),
  getVerdict: defineQuery({
    tool: 'get_reachability_verdict',
    http: 'GET /api/projects/{project_id}/reachability/verdicts/{verdict_id}',
    everywhere: 'GET /api/reachability/verdicts/{verdict_id}',
    title: 'Get a reachability verdict',
    description: 'Why one vulnerability counts as exploitable or not: usage, import sites, exploit data, reasoning.',
    input: z.strictObject({ ...verdictId, project_id: projectRef.optional() }),
    output: verdict.extend(ofProject),
  }),
  overrideVerdict: defineProcedure({
    tool: 'override_reachability_verdict',
    access: 'write',
    idempotent: true,
    http: 'PUT /api/projects/{project_id}/reachability/verdicts/{verdict_id}/override',
    title: 'Override a reachability verdict',
    description: 'Sets a person’s verdict over the machine’s. Member sessions only, no API keys.',
    input: z.strictObject({
      ...verdictId,
      verdict: overrideVerdict,
      reason: prose(2000),
      expires_at: timestampInput.nullable().optional().describe('date or RFC 3339 time; without it, never'),
      expected_revision: expectedRevision,
    }),
    output: verdict,
  }),
  clearOverride: defineProcedure({
    tool: 'clear_reachability_override',
    beyond: true,
    access: 'write',
    idempotent: true,
    http: 'DELETE /api/projects/{project_id}/reachability/verdicts/{verdict_id}/override',
    title: 'Clear an override',
    description: 'Takes a person’s verdict back: the machine’s counts again, as it is now. Member sessions only.',
    input: z.strictObject({ ...verdictId, expected_revision: expectedRevision }),
    output: verdict,
  }),
  progress: defineQuery({
    http: 'GET /api/projects/{project_id}/reachability/progress',
    title: 'Get the progress of verdicts',
    description: 'Whether verdicts are still being brought up to date after a change of stack, usage or exposure.',
    input: z.strictObject({ project_id: projectRef }),
    output: z.object({
      pending: z.boolean(),
      alerts: z.int().describe('open ones'),
      judged: z.int().describe('of these: those whose verdicts are up to date'),
    }),
  }),
  uploadUsageReport: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/reachability/usage-reports',
    body: 'report',
    maxBytes: usageReportLimits.bytes,
    title: 'Upload a usage report',
    description: 'A reach/1 report, at most 8 MB; all or nothing. The same report again changes nothing.',
    input: z.strictObject({ project_id: projectRef, report: usageReport }),
    output: z.object({
      report_id: id,
      duplicate: z.boolean().describe('this very report is the newest one already'),
      dependencies: z.int(),
      verdicts: z
        .object({ created: z.int(), updated: z.int(), unchanged: z.int(), pending: z.boolean() })
        .describe('pending: a large project’s other verdicts follow, see GET …/reachability/progress'),
    }),
  }),
};
