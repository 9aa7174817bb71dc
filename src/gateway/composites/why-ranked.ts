import type * as z from 'zod';
import type { RankedFinding } from '../../procedures/risk.js';
import type { usageClass } from '../../procedures/vulnerability.js';
import { percent } from '../../shared/text/percent.js';

/** Why a finding ranks where it does, in a few words: its risk, how its package is used, and the number it is ranked by. */
export function whyRanked(finding: RankedFinding): string {
  const words = [riskWords(finding), finding.usage && usageWords[finding.usage], measureWords(finding)];
  return words.filter((part) => part !== null).join('; ');
}

function riskWords({ risk, domain, usage }: RankedFinding): string | null {
  if (risk === 'known_exploited') return 'known to be exploited';
  if (risk !== 'reachable') return null;
  if (domain === 'code') return 'in production code';
  return usage === 'called' || usage === 'imported' ? null : 'ruled exploitable';
}

function measureWords({ risk, tier, severity, effective_priority, epss }: RankedFinding): string {
  const rating = `${tier}, ${severity} severity`;
  if (risk === 'critical') return epss === null ? rating : `${rating}; EPSS ${percent(epss)}`;
  return effective_priority === null ? rating : `EffectivePriority ${Number(effective_priority.toFixed(1))}`;
}

const usageWords = {
  called: 'called by reached code',
  imported: 'imported',
  transitive_only: 'used through other packages',
  dev_only: 'used in development only',
  not_used: 'not used',
} as const satisfies Record<z.infer<typeof usageClass>, string>;
