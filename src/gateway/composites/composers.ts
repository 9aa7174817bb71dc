import * as z from 'zod';
import type { Composite } from '../../procedures/define.js';
import type { Composites } from '../../procedures/index.js';
import { unavailableReason } from '../../procedures/posture.js';
import { named, postureParts } from '../../procedures/posture-parts.js';
import { domains } from '../../procedures/risk.js';
import { isRecord } from '../../shared/json/is-record.js';
import { GatewayError } from '../errors.js';
import { cleanAnswer } from '../untrusted/untrusted-text.js';
import { decode, type ForwardOptions, forward, type UpstreamWork } from '../upstream/forward.js';
import { type AskPart, askDomains, type Composer, type Part } from './composer.js';
import { mergeCoverage } from './merge-coverage.js';
import { trendLine } from './trend.js';
import { roomBeside, worstOf, worstRisksOf } from './worst-of.js';

/** Of each answer: 7 kB and 4,000 tokens for the risks with their fixes, half of it for the others; less some for a list's own signs. */
const max = {
  diff: { bytes: 3_900, tokens: 1_950 },
  risks: { bytes: 6_900, tokens: 3_950 },
  summary: { bytes: 3_900, tokens: 1_950 },
};

/** How each composite is made, by its tool. A composite that is missing here does not compile. */
export const composers = {
  async get_findings_diff({ input, ask }) {
    const { since: from, ...asked } = input;
    const window_days = from === undefined ? input.window_days : daysSince(from);
    const diffs = await askDomains((domain) => ask(postureParts.getDomainDiff, { ...asked, window_days, domain }));
    const since = diffs.answers[0]?.since ?? null;
    const domains = diffs.byDomain(({ new: appeared, reopened, resolved, open }) => ({
      new: appeared,
      reopened,
      resolved,
      open,
    }));
    const coverage = mergeCoverage(diffs);
    const { unavailable } = diffs;
    const found = diffs.answers.flatMap(({ worst_new }) => worst_new);
    const left = roomBeside(max.diff, { since, window_days, domains, coverage, unavailable });
    return { since, window_days, domains, worst_new: worstOf(found, named.new, left), coverage, unavailable };
  },

  async get_top_risks({ input, ask }) {
    const found = await askDomains((domain) => ask(postureParts.getDomainRisks, { ...input, domain }));
    const counts = {
      de_escalated: sum(found.answers.map(({ de_escalated }) => de_escalated)),
      triaged: sum(found.answers.map(({ triaged }) => triaged)),
    };
    const stated = { coverage: mergeCoverage(found), unavailable: found.unavailable };
    const left = roomBeside(max.risks, { ...counts, ...stated });
    const risks = worstRisksOf(
      found.answers.flatMap((each) => each.risks),
      named.risks,
      left,
    );
    return { risks, ...counts, ...stated };
  },

  async get_posture_summary({ input: { receipt, ...input }, ask }) {
    const [summaries, verdicts, signed] = await Promise.all([
      askDomains((domain) => ask(postureParts.getDomainSummary, { ...input, domain })),
      ask(postureParts.getVerdictCounts, input),
      receipt === true ? ask(postureParts.getReceipt, input) : null,
    ]);
    const counts = {
      open: summaries.byDomain(({ open }) => open),
      acknowledged: totalOf(summaries.answers.map(({ acknowledged }) => acknowledged)),
      suppressed: totalOf(summaries.answers.map(({ suppressed }) => suppressed)),
      verdicts: verdicts.answered ? verdicts.answer : null,
      trend: trendLine(
        summaries.answers.map(({ tiers }) => tiers.red),
        summaries.unavailable.map(({ domain }) => domain),
      ),
    };
    const stated = {
      coverage: mergeCoverage(summaries),
      unavailable: [
        ...summaries.unavailable,
        ...(verdicts.answered ? [] : [{ domain: 'verdicts' as const, reason: verdicts.reason }]),
      ],
    };
    const worst = worstOf(
      summaries.answers.flatMap((each) => (each.worst === null ? [] : [each.worst])),
      domains.length,
      roomBeside(max.summary, { ...counts, ...stated }),
    );
    return { ...counts, worst, ...stated, ...receiptOf(signed) };
  },
} satisfies { readonly [C in Composites as C['tool']]: Composer<C> };

/** The service signs what it knows itself; a receipt says when and of what. */
function receiptOf(signed: Part<z.output<typeof postureParts.getReceipt.output>> | null) {
  if (signed === null) return {};
  if (!signed.answered) return { receipt: null, no_receipt: `the service could not answer: ${signed.reason}` };
  const { coverage: _, ...fields } = signed.answer;
  return fields;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The window that has a time in it: whole days, 1 to 90. The answer says with which midnight it begins. */
function daysSince(time: Date): number {
  return Math.min(Math.max(Math.ceil((Date.now() - time.getTime()) / dayMs), 1), 90);
}

const byTool: Readonly<Record<string, Composer>> = composers;

export function composerOf({ tool }: Composite): Composer {
  const composer = byTool[tool];
  if (composer === undefined) throw new Error(`${tool} has no composer`);
  return composer;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Null where no domain has answered: an unknown total is not zero. */
function totalOf(counts: readonly number[]): number | null {
  return counts.length === 0 ? null : sum(counts);
}

/**
 * Answers a composite from its parts, asked with the caller's own credential and within its deadline. The answer names a
 * part that fails. The call fails as its first part did where every part fails, or where one fails in a way that all
 * would (no valid credential, an unknown project).
 */
export async function compose(
  composite: Composite,
  input: Record<string, unknown>,
  options: ForwardOptions,
  work: UpstreamWork,
): Promise<Record<string, unknown>> {
  /** By part, in the order of asking, so that equal failures are reported alike; null where the part has answered. */
  const failures: (GatewayError | null)[] = [];
  const ask: AskPart = async (procedure, partInput) => {
    const part = failures.push(null) - 1;
    try {
      const body = await forward(procedure, z.encode(procedure.input, partInput), options, work);
      // Cleaned for both transports: a composite cuts texts, and cutting could bare what their markup hides.
      const clean = isRecord(body) ? cleanAnswer(body).value : body;
      return { answered: true, answer: decode(procedure, clean, options.caller, work) };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const reason = unavailableReason.safeParse(error.code);
      if (!reason.success) throw error;
      failures[part] = error;
      work.unavailable.push(reason.data);
      return { answered: false, reason: reason.data };
    }
  };
  const answer = await composerOf(composite)({ input, ask });
  const [failure = null] = failures;
  if (failure !== null && !failures.includes(null)) throw failure;
  return answer;
}
