import { type MacroVector, macroScore } from './cvss-v4-scores.js';

/** Metric values from most to least severe; the index is the distance in severity levels (specification, section 8.2). */
const levels = {
  AV: ['N', 'A', 'L', 'P'],
  AC: ['L', 'H'],
  AT: ['N', 'P'],
  PR: ['N', 'L', 'H'],
  UI: ['N', 'P', 'A'],
  VC: ['H', 'L', 'N'],
  VI: ['H', 'L', 'N'],
  VA: ['H', 'L', 'N'],
  SC: ['H', 'L', 'N'],
  SI: ['H', 'L', 'N'],
  SA: ['H', 'L', 'N'],
};

type Level = (metric: keyof typeof levels) => number;

/** One equivalence set: its metrics, and their levels in the most severe vectors of its MacroVector (tables 24 to 29). */
interface EquivalenceSet {
  metrics: (keyof typeof levels)[];
  highest: number[][];
  /** Levels between the most and the least severe vector inside the MacroVector, plus one. */
  depth: number;
  /** The next less severe MacroVectors. */
  next: MacroVector[];
}

/**
 * Base score of CVSS 4.0 (CVSS-B), 0 to 10, or null when a base metric is missing or has no such value.
 *
 * https://www.first.org/cvss/v4-0/specification-document section 8. The score of the vector's MacroVector is reduced by a
 * mean over the sets that have a next lower MacroVector. A set contributes the difference to that MacroVector's score,
 * times the vector's distance from the most severe vector as a share of the depth.
 *
 * Threat and environmental metrics are left out: they belong to the reader, not to the advisory. Exploit maturity counts
 * as attacked and the requirements as high, which is what "not defined" means.
 */
export function scoreV4(metrics: ReadonlyMap<string, string>): number | null {
  const found = new Map<string, number>();
  for (const [metric, values] of Object.entries(levels)) {
    const level = values.indexOf(metrics.get(metric) ?? '');
    if (level < 0) return null;
    found.set(metric, level);
  }
  const level: Level = (metric) => found.get(metric) ?? 0;
  const impacts = [level('VC'), level('VI'), level('VA'), level('SC'), level('SI'), level('SA')];
  if (impacts.every((impact) => impact === 2)) return 0;

  const own = macroVectorOf(level);
  const score = macroScore(own) ?? 0;
  const steps = equivalenceSets(own).flatMap((set) => {
    const lower = set.next.map(macroScore).filter((each) => each !== undefined);
    return lower.length === 0 ? [] : [(score - Math.max(...lower)) * (distance(level, set) / set.depth)];
  });
  // Exploit maturity is always at its most severe level here: its step is 0, but counts in the mean.
  const count = steps.length + 1;
  const mean = steps.reduce((sum, step) => sum + step, 0) / count;
  return roundHalfUp(score - mean);
}

function macroVectorOf(level: Level): MacroVector {
  const easy = [level('AV'), level('PR'), level('UI')].filter((each) => each === 0).length;
  const high = level('VC') === 0 || level('VI') === 0 || level('VA') === 0;
  const spreads = level('SC') === 0 || level('SI') === 0 || level('SA') === 0;
  return {
    eq1: easy === 3 ? 0 : easy > 0 && level('AV') < 3 ? 1 : 2,
    eq2: level('AC') === 0 && level('AT') === 0 ? 0 : 1,
    eq3: level('VC') === 0 && level('VI') === 0 ? 0 : high ? 1 : 2,
    // 0 means a threat to human safety, which only environmental metrics can state.
    eq4: spreads ? 1 : 2,
    eq5: 0,
    eq6: high ? 0 : 1,
  };
}

function equivalenceSets(own: MacroVector): EquivalenceSet[] {
  const { eq1, eq2, eq3, eq4, eq6 } = own;
  return [
    {
      metrics: ['AV', 'PR', 'UI'],
      highest:
        [
          [[0, 0, 0]],
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
          [
            [3, 0, 0],
            [1, 1, 1],
          ],
        ][eq1] ?? [],
      depth: [1, 4, 5][eq1] ?? 1,
      next: [{ ...own, eq1: eq1 + 1 }],
    },
    {
      metrics: ['AC', 'AT'],
      highest:
        [
          [[0, 0]],
          [
            [1, 0],
            [0, 1],
          ],
        ][eq2] ?? [],
      depth: [1, 2][eq2] ?? 1,
      next: [{ ...own, eq2: eq2 + 1 }],
    },
    {
      // EQ3 and EQ6 depend on each other and count as one set.
      metrics: ['VC', 'VI', 'VA'],
      highest:
        [
          [[0, 0, 0]],
          [
            [1, 0, 0],
            [0, 1, 0],
          ],
          [[1, 1, 1]],
        ][eq3] ?? [],
      depth: [7, 8, 10][eq3] ?? 1,
      next:
        eq3 === 0
          ? [
              { ...own, eq6: 1 },
              { ...own, eq3: 1 },
            ]
          : [{ ...own, eq6: eq6 + 1 }],
    },
    {
      metrics: ['SC', 'SI', 'SA'],
      highest: [[], [[0, 0, 0]], [[1, 1, 1]]][eq4] ?? [],
      depth: [6, 5, 4][eq4] ?? 1,
      next: [{ ...own, eq4: eq4 + 1 }],
    },
  ];
}

/** Levels between the vector and the first of the most severe vectors that is at least as severe in every metric. */
function distance(level: Level, { metrics, highest }: EquivalenceSet): number {
  const own = metrics.map(level);
  const above = highest.find((top) => top.every((each, i) => each <= (own[i] ?? 0))) ?? own;
  return own.reduce((sum, each, i) => sum + each - (above[i] ?? 0), 0);
}

/** Rounds to one decimal. The small addend corrects the error of binary fractions, as FIRST's calculator does. */
function roundHalfUp(score: number): number {
  return Math.round((Math.min(10, Math.max(0, score)) + 1e-6) * 10) / 10;
}
