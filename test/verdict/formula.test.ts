import { describe, expect, test } from 'vitest';
import type { Exposure } from '../../src/shared/vulnerability-terms.js';
import { usageClasses } from '../../src/shared/vulnerability-terms.js';
import { effectivePriority, formula, type PriorityInputs } from '../../src/verdict/formula.js';

/** CVSS, EPSS, KEV, attack vector; then called, imported, imported and internal, and the classes below it. */
const worked = [
  ['CVE-2021-44228', 10, 0.94358, true, 'N', [100, 85, 75, 70, 60, 40, 35, 20]],
  ['CVE-2021-21315', 7.8, 0.93764, true, 'L', [85, 75, 75, 70, 60, 40, 35, 20]],
  ['CVE-2025-29927', 9.1, 0.93549, false, 'N', [93, 79, 59, 65, 56, 28, 23, 9]],
  ['CVE-2019-10744', 9.1, 0.0341, false, 'N', [73, 62, 47, 51, 44, 22, 18, 7]],
  ['CVE-2021-23337', 7.2, 0.00551, false, 'N', [55, 47, 35, 39, 33, 17, 14, 6]],
  ['CVE-2022-3517', 7.5, 0.00457, false, 'N', [55, 47, 35, 38, 33, 16, 14, 6]],
  ['CVE-2024-21538', 7.5, 0.0013, false, 'N', [45, 39, 29, 32, 27, 14, 11, 5]],
] as const;

const columns = [
  ['called', 'internet'],
  ['imported', 'internet'],
  ['imported', 'internal'],
  ['loaded', 'internet'],
  ['transitive_only', 'internet'],
  ['not_loaded', 'internet'],
  ['dev_only', 'internet'],
  ['not_used', 'internet'],
] as const;

test.each(worked)('%s scores as worked out by hand', (_, cvssScore, epss, kev, attackVector, expected) => {
  const scores = columns.map(([usage, exposure]) =>
    Math.round(effectivePriority({ usage, cvssScore, severity: null, epss, kev, attackVector, exposure }).score),
  );
  expect(scores).toEqual([...expected]);
});

/** By the formula, on paper: R = 100 and floors; R = 73.13; R = 55.07. */
test.each([
  ['CVE-2021-44228', { cvssScore: 10, epss: 0.94358, kev: true }, [100, 85, 70, 60, 60, 40, 35, 20]],
  ['CVE-2019-10744', { cvssScore: 9.1, epss: 0.0341, kev: false }, [73.1, 62.2, 51.2, 43.9, 43.9, 21.9, 18.3, 7.3]],
  ['CVE-2021-23337', { cvssScore: 7.2, epss: 0.00551, kev: false }, [55.1, 46.8, 38.5, 33, 33, 16.5, 13.8, 5.5]],
])('%s in every class, to the digit', (_, facts, expected) => {
  const inputs = { ...facts, severity: null, attackVector: 'N', exposure: 'internet' } as const;
  expect(usageClasses.map((usage) => effectivePriority({ ...inputs, usage }).score)).toEqual(expected);
});

test('a score of the formula before is computed as it was', () => {
  const inputs = {
    cvssScore: 9.1,
    epss: 0.0341,
    kev: false,
    severity: null,
    attackVector: 'N',
    exposure: 'internet',
  } as const;
  expect(effectivePriority({ ...inputs, usage: 'transitive_only' }, 'ep-1')).toMatchObject({
    score: 36.6,
    usageFactor: 0.5,
    formula: 'ep-1',
  });
  expect(effectivePriority({ ...inputs, usage: 'dev_only' }, 'ep-1').score).toBe(18.3);
});

describe('over the whole grid', () => {
  const exposures: Exposure[] = ['internet', 'unknown', 'internal', 'isolated'];
  const vectors = ['N', 'A', 'L', 'P'] as const;
  const cvssScores = [0, 0.1, 1, 2.5, 3.9, 4, 5.5, 6.9, 7, 8.8, 9, 9.8, 10];
  const probabilities = [0, 0.0001, 0.0009, 0.001, 0.0011, 0.01, 0.1, 0.5, 0.97, 1];

  /** Every point of the grid, as inputs. */
  function* grid(): Generator<PriorityInputs> {
    for (const usage of usageClasses)
      for (const exposure of exposures)
        for (const attackVector of vectors)
          for (const kev of [false, true])
            for (const cvssScore of cvssScores)
              for (const epss of probabilities)
                yield { usage, exposure, attackVector, kev, cvssScore, epss, severity: null };
  }

  /** Pairs (lower, higher) of neighbouring values of one input: the second must never score less. */
  const raise: Record<string, (inputs: PriorityInputs) => PriorityInputs | null> = {
    usage: (inputs) => next(usageClasses, inputs.usage, -1, (usage) => ({ ...inputs, usage })),
    exposure: (inputs) => next(exposures, inputs.exposure, -1, (exposure) => ({ ...inputs, exposure })),
    'attack vector': (inputs) =>
      next(vectors, inputs.attackVector ?? 'N', -1, (attackVector) => ({ ...inputs, attackVector })),
    CVSS: (inputs) => next(cvssScores, inputs.cvssScore ?? 0, 1, (cvssScore) => ({ ...inputs, cvssScore })),
    EPSS: (inputs) => next(probabilities, inputs.epss ?? 0, 1, (epss) => ({ ...inputs, epss })),
    KEV: (inputs) => (inputs.kev ? null : { ...inputs, kev: true }),
  };

  function next<T>(
    values: readonly T[],
    value: T,
    step: number,
    make: (value: T) => PriorityInputs,
  ): PriorityInputs | null {
    const neighbour = values[values.indexOf(value) + step];
    return neighbour === undefined ? null : make(neighbour);
  }

  test.each(Object.entries(raise))('more %s never scores less', (_, higher) => {
    let pairs = 0;
    for (const inputs of grid()) {
      const raised = higher(inputs);
      if (raised === null) continue;
      pairs++;
      if (effectivePriority(raised).score < effectivePriority(inputs).score) expect([inputs, raised]).toBe('monotone');
    }
    expect(pairs).toBeGreaterThan(1000);
  });

  test('the score lies in 0-100, in tenths, and is the same every time', () => {
    for (const inputs of grid()) {
      const { score } = effectivePriority(inputs);
      if (
        score < 0 ||
        score > 100 ||
        Math.round(score * 10) !== score * 10 ||
        effectivePriority(inputs).score !== score
      ) {
        expect(inputs).toBe('within 0-100 in tenths');
      }
    }
  });
});

describe('what is not known', () => {
  const known = { usage: 'called', kev: false, exposure: 'internet', attackVector: 'N' } as const;
  const score = (inputs: Partial<PriorityInputs>) =>
    effectivePriority({ ...known, cvssScore: null, severity: null, epss: null, ...inputs }).score;

  test('never counts as zero', () => {
    expect(score({ cvssScore: 5 })).toBe(score({}));
    expect(score({})).toBeGreaterThan(score({ epss: 0.001, cvssScore: 5 }));
    expect(score({ attackVector: null, cvssScore: 5 })).toBe(score({ attackVector: 'N', cvssScore: 5 }));
  });

  test.each(Object.entries(formula.severityByLabel))('a %s label without CVSS counts as %d of 1', (label, share) => {
    const severity = (['low', 'moderate', 'high', 'critical'] as const).find((name) => name === label) ?? null;
    expect(score({ severity })).toBe(score({ cvssScore: share * 10 }));
  });
});

test('no prediction reaches observed exploitation', () => {
  const inputs = { usage: 'not_used', cvssScore: 10, severity: null, attackVector: 'P', exposure: 'isolated' } as const;
  expect(effectivePriority({ ...inputs, epss: null, kev: true }).risk).toBeGreaterThan(
    effectivePriority({ ...inputs, epss: 1, kev: false }).risk,
  );
});

test('a known exploited vulnerability says which floor raised it', () => {
  const inputs = {
    usage: 'called',
    cvssScore: 7.8,
    severity: null,
    epss: null,
    kev: true,
    attackVector: 'L',
    exposure: 'internet',
  } as const;
  expect(effectivePriority(inputs)).toMatchObject({ score: 85, raisedToFloor: 85, exposureFactor: 0.65 });
  expect(effectivePriority({ ...inputs, cvssScore: 10, attackVector: 'N' })).toMatchObject({
    score: 100,
    raisedToFloor: null,
  });
});
