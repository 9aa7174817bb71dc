import * as z from 'zod';
import { trendLine } from '../gateway/composites/trend.js';
import { defineComposite, type Part, type UnavailableReason, unavailableReason } from './define.js';
import { changes, named, openBySeverity, postureParts, projectId, verdictCounts, windowDays } from './posture-parts.js';
import { type Domain, domain, domains } from './risk.js';
import { topFinding, worstOf } from './top-finding.js';
import { timestamp } from './wire.js';

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

const composites = {
  getFindingsDiff: defineComposite({
    tool: 'get_findings_diff',
    title: 'Get what changed',
    description: 'New, resolved and open findings by domain over the last days, and the five worst new ones.',
    input: z.strictObject({ project_id: projectId, window_days: windowDays }),
    output: z.object({
      since: timestamp.nullable(),
      window_days: z.int(),
      domains: byDomain(changes),
      worst_new: z.array(topFinding),
      unavailable,
    }),
    async compose({ input, ask }) {
      const told = await askDomains((each) => ask(postureParts.getDomainDiff, { ...input, domain: each }));
      return {
        since: told.answers[0]?.since ?? null,
        window_days: input.window_days,
        domains: told.each(({ new: arrived, resolved, open }) => ({ new: arrived, resolved, open })),
        worst_new: worstOf(
          told.answers.flatMap(({ worst_new }) => worst_new),
          named.new,
        ),
        unavailable: told.unavailable,
      };
    },
  }),
  getTopRisks: defineComposite({
    tool: 'get_top_risks',
    title: 'Get the top risks',
    description:
      'The ten findings to look at first, across domains: known exploited, then reachable in the code, then critical.',
    input: z.strictObject({ project_id: projectId }),
    output: z.object({
      risks: z.array(topFinding),
      de_escalated: z.int().describe('open, but judged likely_not_exploitable; not ranked'),
      triaged: z.int().describe('acknowledged or suppressed; not ranked'),
      unavailable,
    }),
    async compose({ input, ask }) {
      const told = await askDomains((each) => ask(postureParts.getDomainRisks, { ...input, domain: each }));
      return {
        risks: worstOf(
          told.answers.flatMap(({ risks }) => risks),
          named.risks,
        ),
        de_escalated: sum(told.answers.map(({ de_escalated }) => de_escalated)),
        triaged: sum(told.answers.map(({ triaged }) => triaged)),
        unavailable: told.unavailable,
      };
    },
  }),
  getSummary: defineComposite({
    tool: 'get_posture_summary',
    title: 'Get the posture summary',
    description:
      'Open findings by domain and severity, triage totals, verdicts by band, the trend of 7 days, and each domain’s worst.',
    input: z.strictObject({ project_id: projectId }),
    output: z.object({
      open: byDomain(openBySeverity),
      acknowledged: z.int().nullable(),
      suppressed: z.int().nullable(),
      verdicts: verdictCounts.nullable(),
      trend: z.string(),
      worst: z.array(topFinding).describe('the worst risk of each domain'),
      unavailable,
    }),
    async compose({ input, ask }) {
      const [told, verdicts] = await Promise.all([
        askDomains((each) => ask(postureParts.getDomainSummary, { ...input, domain: each })),
        ask(postureParts.getVerdictCounts, input),
      ]);
      return {
        open: told.each(({ open }) => open),
        acknowledged: totalOf(told.answers.map(({ acknowledged }) => acknowledged)),
        suppressed: totalOf(told.answers.map(({ suppressed }) => suppressed)),
        verdicts: verdicts.answered ? verdicts.answer : null,
        trend: trendLine(
          told.answers.map(({ tiers }) => tiers.red),
          told.unavailable.map((missing) => missing.domain),
        ),
        worst: worstOf(
          told.answers.flatMap(({ worst }) => (worst === null ? [] : [worst])),
          domains.length,
        ),
        unavailable: [
          ...told.unavailable,
          ...(verdicts.answered ? [] : [{ domain: 'verdicts' as const, reason: verdicts.reason }]),
        ],
      };
    },
  }),
};

export const posture = { ...composites, ...postureParts };

interface Told<Answer> {
  /** Of the domains that have answered, in their order. */
  readonly answers: readonly Answer[];
  readonly each: <T>(tell: (answer: Answer) => T) => Record<Domain, T | null>;
  readonly unavailable: { readonly domain: Domain; readonly reason: UnavailableReason }[];
}

/** Asks the four domains at once. */
async function askDomains<Answer>(ask: (domain: Domain) => Promise<Part<Answer>>): Promise<Told<Answer>> {
  const [dependencies, code, running_app, containers] = await Promise.all([
    ask('dependencies'),
    ask('code'),
    ask('running_app'),
    ask('containers'),
  ]);
  const parts = { dependencies, code, running_app, containers };
  const told = domains.map((each) => ({ domain: each, part: parts[each] }));
  return {
    answers: told.flatMap(({ part }) => (part.answered ? [part.answer] : [])),
    each: (tell) => {
      const tellPart = (part: Part<Answer>) => (part.answered ? tell(part.answer) : null);
      return {
        dependencies: tellPart(dependencies),
        code: tellPart(code),
        running_app: tellPart(running_app),
        containers: tellPart(containers),
      };
    },
    unavailable: told.flatMap(({ domain: each, part }) =>
      part.answered ? [] : [{ domain: each, reason: part.reason }],
    ),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Null where no domain has answered: what is not known is not zero. */
function totalOf(counts: readonly number[]): number | null {
  return counts.length === 0 ? null : sum(counts);
}
