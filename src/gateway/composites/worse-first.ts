import {
  domains,
  priorityOfTier,
  type RankedFinding,
  rankedFinding,
  risk,
  unknownProbability,
} from '../../procedures/risk.js';
import { tiers } from '../../shared/vulnerability-terms.js';

const severities = rankedFinding.shape.severity.options;

/**
 * Worst first: by risk; then by exploit probability among `critical` ones, by EffectivePriority among others; then by tier,
 * probability and severity. Each domain answers its worst in this order, equal ones by name, and a stable sort keeps that.
 * So the worst of each domain, merged, contain the worst of all.
 */
export function worseFirst(a: RankedFinding, b: RankedFinding): number {
  return (
    risk.options.indexOf(a.risk) - risk.options.indexOf(b.risk) ||
    scoreOf(b) - scoreOf(a) ||
    tiers.indexOf(a.tier) - tiers.indexOf(b.tier) ||
    probabilityOf(b) - probabilityOf(a) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    domains.indexOf(a.domain) - domains.indexOf(b.domain)
  );
}

function scoreOf(finding: RankedFinding): number {
  if (finding.risk === 'critical') return probabilityOf(finding);
  return finding.effective_priority ?? priorityOfTier[finding.tier];
}

function probabilityOf({ epss }: RankedFinding): number {
  return epss ?? unknownProbability;
}
