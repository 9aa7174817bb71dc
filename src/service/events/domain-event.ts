import * as z from 'zod';
import { tierCounts, uploadedReport } from '../../procedures/findings.js';
import { overrideVerdict, safeVersionStatus, tier } from '../../procedures/vulnerability.js';
import { webhookEvent } from '../../procedures/webhooks.js';
import { ecosystem } from '../../shared/packages/ecosystem.js';

/** A vulnerability in a package of the project. */
const subject = {
  /** The CVE, or the advisory's id where it has none. */
  vulnerability_id: z.string(),
  package: z.object({ ecosystem, name: z.string() }),
};

export const notifiedAlert = z.object({
  id: z.string(),
  ...subject,
  versions: z.array(z.string()).readonly(),
  safe_version: z.string().nullable(),
  /** Null also in what an earlier version has queued. */
  safe_version_status: safeVersionStatus.nullable().default(null),
  title: z.string(),
  tier,
  cvss_score: z.number().nullable(),
  epss: z.number().nullable(),
  known_exploited: z.boolean(),
  malicious: z.boolean(),
  /** `listed`: an older alert, now in the catalogue of known exploited vulnerabilities. `raised`: an older alert, now RED. */
  change: z.enum(['new', 'reopened', 'listed', 'raised']),
});
export type NotifiedAlert = z.infer<typeof notifiedAlert>;

export const notifiedVerdict = z.object({
  alert_id: z.string(),
  verdict_id: z.string(),
  ...subject,
  from: z.string(),
  to: z.string(),
  effective_priority: z.number(),
});
export type NotifiedVerdict = z.infer<typeof notifiedVerdict>;

const notifiedScan = z.object({
  id: z.string(),
  domain: z.string(),
  source: z.string(),
  status: z.enum(['done', 'failed']),
  /** What the scan changed; null where it failed. */
  findings: uploadedReport.shape.findings.nullable(),
  /** Open findings of the source after the scan; null where it failed. */
  tiers: tierCounts.nullable(),
});
export type NotifiedScan = z.infer<typeof notifiedScan>;

const notifiedOverride = z.object({
  alert_id: z.string(),
  verdict_id: z.string(),
  ...subject,
  change: z.enum(['set', 'cleared', 'expired']),
  /** The verdict that was set, or that was in force until now. */
  verdict: overrideVerdict,
  reason: z.string(),
  /** Of the vulnerability, whatever was ruled. */
  known_exploited: z.boolean().default(false),
  /** Who set or cleared it. */
  by: z.string(),
  expires_at: z.string().nullable(),
});
export type NotifiedOverride = z.infer<typeof notifiedOverride>;

const domainEvent = z.discriminatedUnion('type', [
  z.object({
    type: webhookEvent.extract(['alert.red', 'alert.known_exploited']),
    // All that changed together are one event: how many there are, and the worst of them.
    data: z.object({ total: z.int(), alerts: z.array(notifiedAlert).readonly() }),
  }),
  z.object({
    type: webhookEvent.extract(['verdict.band_raised']),
    data: z.object({ total: z.int(), verdicts: z.array(notifiedVerdict).readonly() }),
  }),
  z.object({ type: webhookEvent.extract(['scan.finished']), data: z.object({ scan: notifiedScan }) }),
  z.object({ type: webhookEvent.extract(['override.changed']), data: z.object({ override: notifiedOverride }) }),
  z.object({ type: z.literal('test'), data: z.object({ webhook: z.string() }) }),
]);

/** What happened in a project. */
export type DomainEvent = z.infer<typeof domainEvent>;

/** A domain event with its time and project, as the outbox keeps it and receivers get it. */
export const notification = z.intersection(
  domainEvent,
  z.object({
    /** RFC 3339. */
    timestamp: z.string(),
    data: z.object({ project: z.object({ id: z.string(), name: z.string() }) }),
  }),
);
export type Notification = z.infer<typeof notification>;
