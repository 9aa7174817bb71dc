/** Weights of CVSS 3.0 and 3.1 (section 7.4 "Metric Values", the same in both). */
const weights = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};

/** Required privileges lower the score less where the scope changes. */
const privileges = { U: { N: 0.85, L: 0.62, H: 0.27 }, C: { N: 0.85, L: 0.68, H: 0.5 } };

/**
 * Base score of CVSS 3.0 or 3.1, 0 to 10, or null when a base metric is missing or has no such value.
 * https://www.first.org/cvss/v3-1/specification-document section 7.1; the base equations of 3.0 are the same.
 */
export function scoreV3(metrics: ReadonlyMap<string, string>): number | null {
  const scope = metrics.get('S');
  if (scope !== 'U' && scope !== 'C') return null;
  const weigh = (metric: string, table: Record<string, number>) => table[metrics.get(metric) ?? ''] ?? Number.NaN;
  const lossless = (1 - weigh('C', weights.C)) * (1 - weigh('I', weights.I)) * (1 - weigh('A', weights.A));
  const base = 1 - lossless;
  const impact = scope === 'U' ? 6.42 * base : 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15;
  const exploitability =
    8.22 * weigh('AV', weights.AV) * weigh('AC', weights.AC) * weigh('PR', privileges[scope]) * weigh('UI', weights.UI);
  const sum = impact + exploitability;
  if (Number.isNaN(sum)) return null;
  return impact <= 0 ? 0 : roundUp(Math.min(10, scope === 'U' ? sum : 1.08 * sum));
}

/** Rounds up to one decimal (3.1, appendix A). Computed in integers, because 4.000000001 must become 4.0 and not 4.1. */
function roundUp(score: number): number {
  const scaled = Math.round(score * 100_000);
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10;
}
