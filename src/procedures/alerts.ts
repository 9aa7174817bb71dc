import * as z from 'zod';
import { alertResolutions } from '../shared/vulnerability-terms.js';
import { coverageOfNone } from './coverage.js';
import { defineProcedure, defineQuery } from './define.js';
import { band, cvss, epss, kev, overrideVerdict, packageRef, severity, tier, usageClass } from './vulnerability.js';
import { id, ofProject, pageInput, pageOf, prose, timestamp } from './wire.js';

/** An acknowledged alert is still unresolved. A resolved alert reopens when its package comes back to the stack. */
export const alertStatus = z.enum(['open', 'acknowledged', 'resolved']);

export const alertResolution = z.enum(alertResolutions);

const alert = z.object({
  id,
  project_id: id,
  cve: z.string().nullable(),
  advisory_ids: z.array(z.string()),
  title: z.string(),
  package: packageRef,
  versions: z.array(z.string()).describe('installed versions that are affected'),
  safe_version: z.string().nullable().describe('nearest version no known advisory affects'),
  tier,
  band,
  verdict: z
    .object({
      id,
      effective_priority: z.number(),
      usage: usageClass,
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

const alertId = { project_id: id, alert_id: id };

export const alerts = {
  list: defineQuery({
    tool: 'list_alerts',
    http: 'GET /api/projects/{project_id}/alerts',
    everywhere: 'GET /api/alerts',
    title: 'List alerts',
    description:
      'A project’s alerts: unresolved first, then by EffectivePriority where verdicts exist, known exploited, tier, EPSS, CVSS and name.',
    input: pageInput({
      project_id: id.optional(),
      status: alertStatus.optional(),
      acknowledged: z.boolean().optional(),
      resolved: z.boolean().optional(),
      band: band.optional(),
      tier: tier.optional(),
    }),
    output: pageOf(alert.extend(ofProject)).extend({ coverage: coverageOfNone }),
  }),
  get: defineQuery({
    tool: 'get_alert',
    http: 'GET /api/projects/{project_id}/alerts/{alert_id}',
    title: 'Get an alert',
    description: 'One alert by id.',
    input: z.strictObject(alertId),
    output: alert,
  }),
  acknowledge: defineProcedure({
    tool: 'acknowledge_alert',
    access: 'write',
    http: 'POST /api/projects/{project_id}/alerts/{alert_id}/acknowledge',
    title: 'Acknowledge an alert',
    description: 'Marks an alert as seen; it stays unresolved. Doing it again replaces the note.',
    input: z.strictObject({ ...alertId, note: prose(2000).optional() }),
    output: alert,
  }),
  unacknowledge: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/alerts/{alert_id}/unacknowledge',
    title: 'Take an acknowledgement back',
    description: 'The alert is open again.',
    input: z.strictObject(alertId),
    output: alert,
  }),
};
