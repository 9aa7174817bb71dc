import * as z from 'zod';
import type { FindingSeverity } from '../shared/vulnerability-terms.js';
import { coverage } from './coverage.js';
import { defineQuery } from './define.js';
import { domain, rankedFinding, rankedRisk } from './risk.js';
import { receiptFields } from './signed-receipt.js';
import type { band } from './vulnerability.js';
import { sinceInput, someProjects, timestamp } from './wire.js';

/** Findings that a domain names, at most: of its risks, and of its new ones. */
export const named = { risks: 10, new: 5 };

export const changes = z.object({
  new: z.int().describe('first seen in the window'),
  reopened: z.int().describe('known before, came back in it'),
  resolved: z.int().describe('stopped being open in it; may be open again'),
  open: z.int(),
});

/** The changes of the last 7 days. `before` is how many were open when they began. */
const weekly = changes.extend({ before: z.int() });

export const openBySeverity = z.object({
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  info: z.int(),
  unknown: z.int(),
} satisfies Record<FindingSeverity | 'unknown', z.ZodType>);

/** Unresolved alerts by verdict band. */
export const verdictCounts = z.object({
  known_exploited: z.int(),
  likely_exploitable: z.int(),
  needs_review: z.int(),
  likely_not_exploitable: z.int(),
  unanalyzed: z.int(),
} satisfies Record<z.infer<typeof band>, z.ZodType>);

export const windowDays = z.int().min(1).max(90).default(7);
const ofDomain = { domain, ...someProjects };

/** The parts of the composites. Each answer has a fixed size, whatever the number of findings. */
export const postureParts = {
  getDomainDiff: defineQuery({
    http: 'GET /api/posture/{domain}/diff',
    title: 'Get what changed in a domain',
    description: 'New, resolved and open findings of one domain over a window, and the worst new ones.',
    input: z.strictObject({ ...ofDomain, window_days: windowDays }),
    output: changes.extend({
      domain,
      since: timestamp.describe('the midnight (UTC) that the window begins with'),
      worst_new: z.array(rankedFinding).max(named.new),
      coverage,
    }),
  }),
  getDomainRisks: defineQuery({
    http: 'GET /api/posture/{domain}/risks',
    title: 'Get a domain’s top risks',
    description:
      'The worst open findings of one domain, ranked; those that one upgrade closes are one. With since those alone that were first seen since then.',
    input: z.strictObject({ ...ofDomain, since: sinceInput }),
    output: z.object({
      domain,
      risks: z.array(rankedRisk).max(named.risks),
      de_escalated: z.int().describe('open, but judged likely_not_exploitable'),
      triaged: z.int().describe('acknowledged or suppressed'),
      coverage,
    }),
  }),
  getDomainSummary: defineQuery({
    http: 'GET /api/posture/{domain}/summary',
    title: 'Get a domain’s summary',
    description: 'Open findings of one domain by severity and tier, the last 7 days of each tier, and the worst risk.',
    input: z.strictObject(ofDomain),
    output: z.object({
      domain,
      open: openBySeverity,
      acknowledged: z.int().describe('of the open ones'),
      suppressed: z.int(),
      tiers: z.object({ red: weekly, yellow: weekly, green: weekly }),
      worst: rankedFinding.nullable(),
      coverage,
    }),
  }),
  getVerdictCounts: defineQuery({
    http: 'GET /api/posture/verdicts',
    title: 'Count verdicts',
    description: 'Unresolved alerts by verdict band.',
    input: z.strictObject(someProjects),
    output: verdictCounts,
  }),
  getReceipt: defineQuery({
    http: 'GET /api/posture/receipt',
    title: 'Get a receipt of the posture',
    description: 'A signed receipt that nothing is open in any domain; else why there is none.',
    input: z.strictObject(someProjects),
    output: z.object({ coverage, ...receiptFields }),
  }),
};
