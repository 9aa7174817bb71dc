import * as z from 'zod';
import { type FindingSeverity, findingSeverities, type Severity } from '../shared/vulnerability-terms.js';
import { receipt } from './receipt.js';
import { id, timestamp } from './wire.js';

export const findingSeverity = z.enum(findingSeverities);

/** GHSA's severities on the scale of findings. */
export const findingSeverityOfAdvisory = {
  critical: 'critical',
  high: 'high',
  moderate: 'medium',
  low: 'low',
} as const satisfies Record<Severity, FindingSeverity>;

/** What a scanner says, in the words of a distribution or database. `negligible` is Debian's and Ubuntu's. */
export const vendorSeverity = z.object({
  severity: z.enum(['critical', 'high', 'medium', 'low', 'negligible']),
  source: z.string().nullable(),
});
export type VendorSeverity = z.output<typeof vendorSeverity>;

/** `suppressed`: the report itself says that the finding is accepted (SARIF suppressions). */
export const findingState = z.enum(['open', 'fixed', 'suppressed']);

/** Open findings by triage tier. */
export const tierCounts = z.object({ red: z.int(), yellow: z.int(), green: z.int() });

/** When a finding was first and last reported, and since when the newest scan no longer has it. */
export const seen = {
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  fixed_at: timestamp.nullable(),
};

export const scanStatus = z.enum(['queued', 'running', 'done', 'failed']);

/** What an uploaded report changed. */
export const uploadedReport = z.object({
  scan_job_id: id,
  duplicate: z.boolean().describe('the newest scan of this source had this very content: nothing changed'),
  findings: z.object({
    total: z.int(),
    new: z.int(),
    reopened: z.int(),
    fixed: z.int(),
    unchanged: z.int(),
    suppressed: z.int(),
  }),
  tiers: tierCounts,
  note: z.string().nullable().describe('what was left as it is, and why'),
});

/** The answer to an uploaded report. */
export const reportAnswer = uploadedReport.extend({ receipt });
