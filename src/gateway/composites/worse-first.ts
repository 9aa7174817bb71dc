import {
  domains,
  priorityOfTier,
  type RankedFinding,
  rankedFinding,
  risk,
  unknownProbability,
} from '../../procedures/risk.js';

const severities = rankedFinding.shape.severity.options;

/**
 * Worst first: by risk; then by exploit probability among `critical` ones, by EffectivePriority among others. Ids make the
 * order total, so the worst of each domain, merged, contain the worst of all.
 */
export function worseFirst(a: RankedFinding, b: RankedFinding): number {
  return (
    risk.options.indexOf(a.risk) - risk.options.indexOf(b.risk) ||
    scoreOf(b) - scoreOf(a) ||
    probabilityOf(b) - probabilityOf(a) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    byText(a.id, b.id) ||
    domains.indexOf(a.domain) - domains.indexOf(b.domain)
  );
}

/** By code units, which is how the database orders ASCII ids by bytes. */
function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function scoreOf(finding: RankedFinding): number {
  if (finding.risk === 'critical') return probabilityOf(finding);
  return finding.effective_priority ?? priorityOfTier[finding.tier];
}

function probabilityOf({ epss }: RankedFinding): number {
  return epss ?? unknownProbability;
}
