import { describe, expect, test } from 'vitest';
import { targetOf } from '../../../src/service/remediation/affected-packages.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';

type Affected = Parameters<typeof targetOf>[2][number]['affected'];

/** Only advisories say what was published. */
const advice = { seen: [], registry: null, withheld: false, as_of: null };

/** Affects `introduced` up to `fixed`, for each pair. */
const ranges = (...pairs: ReadonlyArray<readonly [introduced: string, fixed?: string]>): Affected => ({
  ranges: pairs.map(([introduced, fixed]) => ({
    type: 'ECOSYSTEM',
    events: fixed === undefined ? [{ introduced }] : [{ introduced }, { fixed }],
  })),
  versions: [],
});

function target(from: string, affected: readonly Affected[], ecosystem: Ecosystem = 'npm') {
  const advisories = affected.map((each, nth) => ({ id: `A${nth}`, affected: each }));
  const { to, remaining } = targetOf(ecosystem, from, advisories, advice);
  return [to, [...remaining]];
}

describe('the target of an installed version', () => {
  const severalLines = [ranges(['0', '1.9.1'], ['2.0.0', '2.3.4'], ['4.0.0', '4.1.2'])];

  test.each([
    ['1.2.0', '1.9.1'],
    ['2.0.0', '2.3.4'],
    ['4.1.1', '4.1.2'],
  ])('stays in its own line where that has a fix: %s', (from, to) => {
    expect(target(from, severalLines)).toEqual([to, []]);
  });

  test('is not affected by another advisory than the one it fixes', () => {
    expect(target('1.0.0', [ranges(['0', '1.1.0']), ranges(['1.1.0', '1.1.5']), ranges(['0', '1.0.9'])])).toEqual([
      '1.1.5',
      [],
    ]);
  });

  test('leaves a line only where no fix of it is known', () => {
    expect(target('1.0.0', [ranges(['0', '1.9.1']), ranges(['0', '4.1.2'])])).toEqual(['4.1.2', []]);
  });

  test('is without the flaws that have a fix, where one has none, and names that one', () => {
    expect(target('1.0.0', [ranges(['0', '1.5.0']), ranges(['0']), ranges(['0', '1.10.0'])])).toEqual([
      '1.10.0',
      ['A1'],
    ]);
  });

  test('brings no flaw that the installed version has not', () => {
    const appears = ranges(['1.5.0']);
    expect(target('1.0.0', [ranges(['0', '1.5.0']), ranges(['0']), appears])).toEqual([null, []]);
  });

  test.each([
    ['none has a fix', [ranges(['0'])]],
    ['its fixes are below the version', [ranges(['0', '0.9.0'], ['1.0.0'])]],
    ['nothing affects the version', [ranges(['2.0.0', '2.1.0'])]],
    ['nothing is known', []],
  ])('is null where %s', (_, affected) => {
    expect(target('1.0.0', affected)).toEqual([null, []]);
  });

  test.each<[Ecosystem, from: string, fixes: string[], to: string]>([
    ['npm', '9.0.0', ['10.0.0', '9.10.0', '9.2.0'], '9.2.0'],
    ['PyPI', '1.0', ['1.0.post2', '1.0.post10'], '1.0.post2'],
    ['Maven', '2.14.1', ['2.17.1', '2.15.0-rc1', '2.15.0'], '2.15.0'],
    ['Go', 'v1.9.0', ['1.10.0', '1.11.0'], 'v1.10.0'],
  ])('is the nearest as %s orders versions', (ecosystem, from, fixes, to) => {
    const flaw: Affected = { ranges: [], versions: [from] };
    const fixed = fixes.map((version) => ranges([version, version]));
    expect(target(from, [flaw, ...fixed], ecosystem)).toEqual([to, []]);
  });
});
