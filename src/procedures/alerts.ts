import * as z from 'zod';
import { alertResolutions } from '../shared/vulnerability-terms.js';
import { alertDetails, historyEntry } from './alert-details.js';
import { coverageOfNone } from './coverage.js';
import { defineProcedure, defineQuery } from './define.js';
import { advisoryId, versionText } from './texts.js';
import {
  band,
  cvss,
  cweFilter,
  epss,
  epssFilter,
  exposure,
  kev,
  overrideVerdict,
  packageRef,
  safeVersionStatus,
  severity,
  tier,
  usageClass,
  usageFilter,
  vulnerabilityId,
} from './vulnerability.js';
import {
  changedSince,
  clears,
  id,
  ofProject,
  pageInput,
  pageNumber,
  pageOf,
  projectRef,
  prose,
  sinceInput,
  someOf,
  someProjects,
  timestamp,
} from './wire.js';

/** An acknowledged alert is still unresolved. A resolved alert reopens when its package comes back to the stack. */
export const alertStatus = z.enum(['open', 'acknowledged', 'resolved']);

export const alertResolution = z.enum(alertResolutions);

const alert = z.object({
  id,
  project_id: id,
  cve: advisoryId.nullable(),
  advisory_ids: z.array(advisoryId),
  title: z.string(),
  package: packageRef,
  versions: z.array(versionText).describe('installed versions that are affected'),
  safe_version: versionText
    .nullable()
    .describe('nearest version no known advisory affects; null too where advisories are over 7 days old'),
  safe_version_status: safeVersionStatus.nullable().describe('unverified: nothing here shows that it was published'),
  tier,
  band,
  verdict: z
    .object({
      id,
      effective_priority: z.number(),
      usage: usageClass,
      site: z.string().nullable().describe('first import, as file:line'),
      site_count: z.int(),
      exposure,
      override: overrideVerdict.nullable(),
    })
    .nullable(),
  status: alertStatus,
  severity: severity.nullable(),
  cvss: cvss.nullable(),
  epss: epss.nullable(),
  kev: kev.nullable(),
  malicious: z.boolean(),
  acknowledged: z.object({ at: timestamp, by: z.string(), note: z.string().nullable() }).nullable(),
  first_seen_at: timestamp,
  resolved_at: timestamp.nullable(),
  resolution: alertResolution.nullable(),
});

const alertId = { project_id: projectRef, alert_id: id.describe('or its CVE, GHSA') };

/** Alerts of one project that one call changes together. */
const alertIds = { project_id: projectRef, alert_ids: z.array(id).min(1).max(100) };

/** Each id of the input is in one of the lists. */
const left = {
  unchanged: z.array(id).describe('were so before'),
  resolved: z.array(id).describe('stay as they are: nothing is left to acknowledge'),
  not_found: z.array(id),
};

export const alerts = {
  list: defineQuery({
    tool: 'list_alerts',
    http: 'GET /api/projects/{project_id}/alerts',
    everywhere: 'GET /api/alerts',
    title: 'List alerts',
    description:
      'Alerts on vulnerable packages, the most urgent (EffectivePriority) first, resolved last. get_alert explains one.',
    input: pageInput({
      ...someProjects,
      status: alertStatus.optional(),
      acknowledged: z.boolean().optional(),
      resolved: z.boolean().optional(),
      band: band.optional(),
      tier: tier.optional(),
      cve: vulnerabilityId.optional().describe('CVE, GHSA or other id'),
      package: z.string().trim().min(1).max(200).optional().describe('part of its name'),
      usage: usageFilter,
      severity: someOf(severity).optional(),
      epss_min: epssFilter,
      cwe: cweFilter,
      kev: z.boolean().optional().describe('known exploited'),
      fixable: z.boolean().optional().describe('advisories name a fix'),
      overridden: z.boolean().optional(),
      page: pageNumber,
      ...changedSince,
      changed_since: sinceInput,
    }),
    output: pageOf(alert.extend(ofProject)).extend({ coverage: coverageOfNone }),
    summary: [
      ...[
        'id',
        'project_id',
        'cve',
        'advisory_ids',
        'title',
        'package.ecosystem',
        'package.name',
        'versions',
        'safe_version',
        'safe_version_status',
      ],
      ...[
        'tier',
        'band',
        'verdict.id',
        'verdict.effective_priority',
        'verdict.usage',
        'verdict.exposure',
        'verdict.override',
      ],
      ...[
        'status',
        'severity',
        'epss.probability',
        'kev.date_added',
        'kev.due_date',
        'malicious',
        'acknowledged',
        'first_seen_at',
        'resolution',
        'project',
      ],
    ],
  }),
  get: defineQuery({
    tool: 'get_alert',
    http: 'GET /api/projects/{project_id}/alerts/{alert_id}',
    everywhere: 'GET /api/alerts/{alert_id}',
    title: 'Get an alert',
    description:
      'Explains one alert: its advisory, how the package comes in, where it is imported, which upgrade fixes it.',
    input: z.strictObject({ ...alertId, project_id: projectRef.optional() }),
    output: alert.extend({ ...alertDetails, ...ofProject }),
  }),
  acknowledge: defineProcedure({
    tool: 'acknowledge_alert',
    access: 'write',
    idempotent: true,
    http: 'POST /api/projects/{project_id}/alerts/{alert_id}/acknowledge',
    title: 'Acknowledge an alert',
    description: 'Marks an alert as seen; it stays unresolved. Done again, another note replaces the first.',
    input: z.strictObject({ ...alertId, note: prose(2000).optional(), clear: clears('note') }),
    output: alert,
  }),
  unacknowledge: defineProcedure({
    tool: 'unacknowledge_alert',
    beyond: true,
    access: 'write',
    idempotent: true,
    http: 'POST /api/projects/{project_id}/alerts/{alert_id}/unacknowledge',
    title: 'Take an acknowledgement back',
    description: 'Takes an acknowledgement back: the alert is open again.',
    input: z.strictObject(alertId),
    output: alert,
  }),
  acknowledgeMany: defineProcedure({
    tool: 'acknowledge_alerts',
    beyond: true,
    access: 'write',
    idempotent: true,
    http: 'POST /api/projects/{project_id}/alerts/acknowledge',
    title: 'Acknowledge alerts',
    description:
      'Acknowledges up to 100 alerts together, each as acknowledge does. Ids that are not found stop no others.',
    input: z.strictObject({ ...alertIds, note: prose(2000).optional(), clear: clears('note') }),
    output: z.object({
      acknowledged: z.array(id).describe('were open'),
      replaced: z.array(id).describe('were acknowledged with another note, which is replaced'),
      ...left,
    }),
  }),
  unacknowledgeMany: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/alerts/unacknowledge',
    title: 'Take acknowledgements back',
    description: 'Up to 100 alerts are open again.',
    input: z.strictObject(alertIds),
    output: z.object({ unacknowledged: z.array(id), ...left }),
  }),
  listHistory: defineQuery({
    tool: 'list_alert_history',
    beyond: true,
    http: 'GET /api/projects/{project_id}/alerts/{alert_id}/history',
    title: 'List an alert’s history',
    description: 'What happened to an alert, newest first. Changes of tier and verdict are kept for 400 days.',
    input: pageInput(alertId),
    output: pageOf(historyEntry).extend({
      known_since: timestamp.describe('of what happened before, some may be missing'),
      complete: z.boolean().describe('all is known since the alert appeared'),
    }),
  }),
};
