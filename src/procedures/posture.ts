import * as z from 'zod';
import type { Own } from '../shared/text/own.js';
import { coverage } from './coverage.js';
import { defineComposite } from './define.js';
import { changes, openBySeverity, postureParts, verdictCounts, windowDays } from './posture-parts.js';
import { postureViews } from './posture-views.js';
import { getRevisions } from './revisions.js';
import { type Domain, domain, risk, upgrade } from './risk.js';
import { receiptFields, receiptInput } from './signed-receipt.js';
import { advisoryId, ownText, purlText } from './texts.js';
import { tier } from './vulnerability.js';
import { id, sinceInput, someProjects, timestamp } from './wire.js';

/** Why a part of a composite has no answer: the code of its failure. */
export const unavailableReason = z.enum([
  'timeout',
  'unavailable',
  'upstream_error',
  'plan_required',
  'forbidden',
  'rate_limited',
]);
export type UnavailableReason = z.infer<typeof unavailableReason>;

const unavailable = z
  .array(z.object({ domain: z.enum([...domain.options, 'verdicts']), reason: unavailableReason }))
  .describe('parts that are missing in this answer');

/** An answer by domain; null for one that is unavailable. */
const byDomain = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({
    dependencies: schema.nullable(),
    code: schema.nullable(),
    running_app: schema.nullable(),
    containers: schema.nullable(),
  });

/** The tool that shows more of a finding. */
export const findingTool = {
  dependencies: 'get_alert',
  code: 'list_sast_findings',
  running_app: 'list_dast_findings',
  containers: 'list_container_findings',
} as const satisfies Record<Domain, string>;

/** A finding in a composite's answer. Its texts are cut, so that ten findings have a bounded size. */
export const topFinding = z.object({
  domain,
  project: z.object({ id, name: z.string() }),
  risk,
  why: ownText,
  title: z.string(),
  tier,
  cve: advisoryId.nullable(),
  package: purlText.nullable(),
  location: z.string().nullable(),
  effective_priority: z.number().nullable(),
  epss: z.number().nullable(),
  kev: z.boolean(),
  id,
  tool: z.enum(Object.values(findingTool)).describe('shows more'),
});
export type TopFinding = z.output<typeof topFinding> & { readonly why: Own };

/** The worst of the findings that one upgrade closes, without what `risk`, `why` and `fix` say already. */
const topRisk = topFinding.omit({ kev: true, epss: true, package: true }).extend({ fix: upgrade.nullable() });
export type TopRisk = z.output<typeof topRisk> & { readonly why: Own };

export const posture = {
  getFindingsDiff: defineComposite({
    tool: 'get_findings_diff',
    title: 'Get what changed',
    description:
      'What changed in the last days: new, resolved and open findings by domain, and the five worst new ones.',
    input: z.strictObject({ ...someProjects, window_days: windowDays, since: sinceInput }),
    output: z.object({
      since: timestamp.nullable(),
      window_days: z.int(),
      domains: byDomain(changes),
      worst_new: z.array(topFinding),
      coverage,
      unavailable,
    }),
  }),
  getTopRisks: defineComposite({
    tool: 'get_top_risks',
    title: 'Get the top risks',
    description:
      'What to fix first: the ten worst risks: known exploited, then reachable, then critical. What one upgrade closes is one risk, with that fix.',
    input: z.strictObject({ ...someProjects, since: sinceInput }),
    output: z.object({
      risks: z.array(topRisk),
      de_escalated: z.int().describe('open, but judged likely_not_exploitable; not ranked'),
      triaged: z.int().describe('acknowledged or suppressed; not ranked'),
      coverage,
      unavailable,
    }),
  }),
  getSummary: defineComposite({
    tool: 'get_posture_summary',
    title: 'Get the posture summary',
    description:
      'How do we stand? Open findings by domain and severity, triage totals, verdicts by band, the trend of 7 days, each domain’s worst. Start here.',
    input: z.strictObject({ ...someProjects, ...receiptInput }),
    output: z.object({
      open: byDomain(openBySeverity),
      acknowledged: z.int().nullable(),
      suppressed: z.int().nullable(),
      verdicts: verdictCounts.nullable(),
      trend: ownText,
      worst: z.array(topFinding).describe('the worst risk of each domain'),
      coverage,
      unavailable,
      ...receiptFields,
    }),
  }),
  ...postureParts,
  getRevisions,
  ...postureViews,
};
