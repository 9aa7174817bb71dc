/** Weights of CVSS 2.0 (section 3.2.1 "Base Equation"). */
const weights = {
  AV: { L: 0.395, A: 0.646, N: 1 },
  AC: { H: 0.35, M: 0.61, L: 0.71 },
  Au: { M: 0.45, S: 0.56, N: 0.704 },
  C: { N: 0, P: 0.275, C: 0.66 },
  I: { N: 0, P: 0.275, C: 0.66 },
  A: { N: 0, P: 0.275, C: 0.66 },
};

/**
 * Base score of CVSS 2.0, 0 to 10, or null when a base metric is missing or has no such value.
 * https://www.first.org/cvss/v2/guide section 3.2.1.
 */
export function scoreV2(metrics: ReadonlyMap<string, string>): number | null {
  const weigh = (metric: string, table: Record<string, number>) => table[metrics.get(metric) ?? ''] ?? Number.NaN;
  const lossless = (1 - weigh('C', weights.C)) * (1 - weigh('I', weights.I)) * (1 - weigh('A', weights.A));
  const impact = 10.41 * (1 - lossless);
  const exploitability = 20 * weigh('AV', weights.AV) * weigh('AC', weights.AC) * weigh('Au', weights.Au);
  const score = (0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176);
  return Number.isNaN(score) ? null : Math.abs(Math.round(score * 10) / 10);
}
