import type { Composite } from '../../procedures/define.js';
import type { Composites } from '../../procedures/index.js';
import { named, postureParts } from '../../procedures/posture-parts.js';
import { domains } from '../../procedures/risk.js';
import { askDomains } from './ask-domains.js';
import type { Composer } from './composer.js';
import { trendLine } from './trend.js';
import { worstOf } from './worst-of.js';

/** How each composite is made, by its tool. A composite that is missing here does not compile. */
export const composers = {
  async get_findings_diff({ input, ask }) {
    const diffs = await askDomains((domain) => ask(postureParts.getDomainDiff, { ...input, domain }));
    return {
      since: diffs.answers[0]?.since ?? null,
      window_days: input.window_days,
      domains: diffs.byDomain(({ new: appeared, reopened, resolved, open }) => ({
        new: appeared,
        reopened,
        resolved,
        open,
      })),
      worst_new: worstOf(
        diffs.answers.flatMap(({ worst_new }) => worst_new),
        named.new,
      ),
      unavailable: diffs.unavailable,
    };
  },

  async get_top_risks({ input, ask }) {
    const found = await askDomains((domain) => ask(postureParts.getDomainRisks, { ...input, domain }));
    return {
      risks: worstOf(
        found.answers.flatMap(({ risks }) => risks),
        named.risks,
      ),
      de_escalated: sum(found.answers.map(({ de_escalated }) => de_escalated)),
      triaged: sum(found.answers.map(({ triaged }) => triaged)),
      unavailable: found.unavailable,
    };
  },

  async get_posture_summary({ input, ask }) {
    const [summaries, verdicts] = await Promise.all([
      askDomains((domain) => ask(postureParts.getDomainSummary, { ...input, domain })),
      ask(postureParts.getVerdictCounts, input),
    ]);
    return {
      open: summaries.byDomain(({ open }) => open),
      acknowledged: totalOf(summaries.answers.map(({ acknowledged }) => acknowledged)),
      suppressed: totalOf(summaries.answers.map(({ suppressed }) => suppressed)),
      verdicts: verdicts.answered ? verdicts.answer : null,
      trend: trendLine(
        summaries.answers.map(({ tiers }) => tiers.red),
        summaries.unavailable.map(({ domain }) => domain),
      ),
      worst: worstOf(
        summaries.answers.flatMap(({ worst }) => (worst === null ? [] : [worst])),
        domains.length,
      ),
      unavailable: [
        ...summaries.unavailable,
        ...(verdicts.answered ? [] : [{ domain: 'verdicts' as const, reason: verdicts.reason }]),
      ],
    };
  },
} satisfies { readonly [C in Composites as C['tool']]: Composer<C> };

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
