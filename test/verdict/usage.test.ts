import { describe, expect, test } from 'vitest';
import { confidences, reportedUsages, scopes } from '../../src/shared/vulnerability-terms.js';
import { formula } from '../../src/verdict/formula.js';
import { classifyUsage, type ReportedDependency } from '../../src/verdict/usage.js';
import { findVulnerable, type SymbolFindings, type VulnerableSymbols } from '../../src/verdict/vulnerable-symbols.js';

const noSymbols: SymbolFindings = { known: false, referenced: [], excluded: false };
const referenced: SymbolFindings = { known: true, referenced: ['template'], excluded: false };
const excluded: SymbolFindings = { known: true, referenced: [], excluded: true };
const unknown: SymbolFindings = { known: true, referenced: [], excluded: false };

const dependency = (
  usage: ReportedDependency['usage'],
  more: Partial<ReportedDependency> = {},
): ReportedDependency => ({ usage, scope: 'runtime', confidence: null, gaps: [], ...more });

const development = { scope: 'development' } as const;
const open = { gaps: ['src/a.ts:3 imports what only a run can say'] } as const;

describe('a report says', () => {
  test.each([
    ['nothing of the package', null, noSymbols, 'not_analyzed', 'low'],
    ['reached, no symbol known', dependency('reached'), noSymbols, 'called', 'high'],
    ['reached, symbol referenced', dependency('reached'), referenced, 'called', 'high'],
    ['reached, symbols excluded', dependency('reached'), excluded, 'imported', 'high'],
    ['reached, symbols excluded by a search with gaps', dependency('reached', open), excluded, 'called', 'medium'],
    ['reached, symbols not excluded', dependency('reached'), unknown, 'called', 'medium'],
    ['reached, though declared for development', dependency('reached', development), noSymbols, 'called', 'high'],
    ['imported', dependency('imported'), noSymbols, 'imported', 'high'],
    ['imported, symbol referenced', dependency('imported'), referenced, 'imported', 'high'],
    ['imported, though declared for development', dependency('imported', development), noSymbols, 'imported', 'high'],
    ['loaded', dependency('loaded', development), noSymbols, 'loaded', 'high'],
    ['mentioned', dependency('mentioned'), noSymbols, 'transitive_only', 'low'],
    ['transitive', dependency('transitive'), noSymbols, 'transitive_only', 'high'],
    ['transitive, searched with gaps', dependency('transitive', open), noSymbols, 'transitive_only', 'medium'],
    ['transitive, for development', dependency('transitive', development), noSymbols, 'transitive_only', 'high'],
    ['not loaded', dependency('not_loaded'), noSymbols, 'not_loaded', 'high'],
    ['not loaded, searched with gaps', dependency('not_loaded', open), noSymbols, 'transitive_only', 'low'],
    ['tooling', dependency('tooling'), referenced, 'dev_only', 'medium'],
    ['tooling, for development', dependency('tooling', development), noSymbols, 'dev_only', 'high'],
    [
      'tooling, searched with gaps',
      dependency('tooling', { ...open, ...development }),
      noSymbols,
      'transitive_only',
      'low',
    ],
    ['types alone', dependency('type_only'), noSymbols, 'dev_only', 'medium'],
    ['types alone, searched with gaps', dependency('type_only', open), noSymbols, 'transitive_only', 'low'],
    ['unused', dependency('unused'), noSymbols, 'not_used', 'high'],
    ['unused, for development', dependency('unused', development), noSymbols, 'dev_only', 'high'],
    ['unused, searched with gaps', dependency('unused', open), noSymbols, 'transitive_only', 'low'],
    ['not analyzed', dependency('not_analyzed'), noSymbols, 'not_analyzed', 'low'],
  ] as const)('%s', (_, reported, symbols, usage, confidence) => {
    expect(classifyUsage(reported, symbols, false)).toMatchObject({ usage, confidence });
  });
});

test.each(['unused', 'tooling', 'type_only', 'not_loaded'] as const)(
  'a report without gaps judges %s by its completeness alone',
  (usage) => {
    const reported = dependency(usage, { gaps: null });
    expect(classifyUsage(reported, noSymbols, true)).toMatchObject({ searched: true });
    expect(classifyUsage(reported, noSymbols, true).usage).not.toBe('transitive_only');
    expect(classifyUsage(reported, noSymbols, false)).toMatchObject({
      usage: 'transitive_only',
      confidence: 'low',
      searched: false,
    });
  },
);

test('what the report says of its confidence only lowers it; what it is not sure of is never played down', () => {
  const of = (usage: ReportedDependency['usage'], confidence: ReportedDependency['confidence']) =>
    classifyUsage(dependency(usage, { confidence }), noSymbols, true);
  expect(of('mentioned', 'high')).toMatchObject({ usage: 'transitive_only', confidence: 'low' });
  expect(of('tooling', 'high')).toMatchObject({ usage: 'dev_only', confidence: 'medium' });
  expect(of('reached', 'low')).toMatchObject({ usage: 'called', confidence: 'low' });
  expect(of('unused', 'medium')).toMatchObject({ usage: 'not_used', confidence: 'medium' });
  for (const usage of ['unused', 'tooling', 'type_only', 'not_loaded'] as const) {
    expect(of(usage, 'low')).toMatchObject({ usage: 'transitive_only', confidence: 'low' });
  }
});

test('the vulnerable symbols that production references are named, those of tests are not', () => {
  expect(classifyUsage(dependency('reached'), referenced, true)).toMatchObject({
    vulnerableSymbols: ['template'],
    symbols: 'referenced',
  });
  expect(classifyUsage(dependency('tooling'), referenced, true).vulnerableSymbols).toEqual([]);
});

describe('more evidence never lowers', () => {
  const names = ['merge', 'chunk', 'default'];
  const subsets = [...Array(2 ** names.length).keys()].map((bits) => names.filter((_, index) => bits & (2 ** index)));
  const gapLists = [[], ['a'], null] as const;
  const subpathLists = [[''], ['', 'chunk'], null] as const;

  interface Point extends ReportedDependency {
    readonly symbols: readonly string[];
    readonly complete: boolean;
    readonly subpaths: readonly string[] | null;
    readonly reportComplete: boolean;
  }

  function* grid(): Generator<Point> {
    for (const usage of reportedUsages)
      for (const scope of scopes)
        for (const confidence of [null, ...confidences])
          for (const gaps of gapLists)
            for (const symbols of subsets)
              for (const complete of [true, false])
                for (const subpaths of subpathLists)
                  for (const reportComplete of [true, false])
                    yield { usage, scope, confidence, gaps, symbols, complete, subpaths, reportComplete };
  }

  const factor = (point: Point, vulnerable: VulnerableSymbols) => {
    const found = findVulnerable({ ecosystem: 'npm', name: 'lodash' }, vulnerable, point);
    return formula.usage[classifyUsage(point, found, point.reportComplete).usage];
  };

  /** From least to most, where each is evidence on top of the one before. */
  const uses: readonly ReportedDependency['usage'][] = [
    'unused',
    'type_only',
    'tooling',
    'not_loaded',
    'transitive',
    'loaded',
    'imported',
    'reached',
  ];

  const stronger: Record<string, (point: Point) => readonly Point[]> = {
    'a better use': (point) =>
      uses
        .slice(uses.indexOf(point.usage) + 1, uses.includes(point.usage) ? undefined : 0)
        .map((usage) => ({ ...point, usage })),
    'a mention': (point) =>
      point.usage === 'unused' || point.usage === 'tooling' ? [{ ...point, usage: 'mentioned' }] : [],
    'a referenced symbol': (point) => names.map((name) => ({ ...point, symbols: [...point.symbols, name] })),
    'a list of symbols that may lack some': (point) => [{ ...point, complete: false }],
    'imports that are not all listed': (point) => [{ ...point, subpaths: null }],
    'a gap': (point) => (point.gaps === null ? [] : [{ ...point, gaps: [...point.gaps, 'b'] }]),
    'a report that is not complete': (point) => [{ ...point, reportComplete: false }],
    'less confidence': (point) => [{ ...point, confidence: 'low' }],
    'a scope of production': (point) =>
      point.scope === 'development' && point.usage !== 'unused' ? [{ ...point, scope: 'runtime' }] : [],
  };

  const nameLists = [[], ['lodash.merge'], ['lodash.merge', 'lodash.zip'], ['lodash.merge', 'lodash.Class.method']];

  test('a suspected function', () => {
    let raised = 0;
    for (const point of grid())
      for (const named of nameLists)
        for (const suspect of ['lodash.chunk', 'lodash.merge', 'lodash._baseMerge', 'lodash.Class.method']) {
          const before = factor(point, { named, suspected: [] });
          const after = factor(point, { named, suspected: [suspect] });
          if (after < before) expect([point, named, suspect]).toBe('monotone');
          if (after > before) raised += 1;
        }
    expect(raised).toBeGreaterThan(0);
  });

  test.each(Object.entries(stronger))('%s', (_, next) => {
    let pairs = 0;
    for (const point of grid()) {
      for (const more of next(point)) {
        for (const named of nameLists) {
          const vulnerable = { named, suspected: [] };
          pairs += 1;
          if (factor(more, vulnerable) < factor(point, vulnerable)) expect([point, more, vulnerable]).toBe('monotone');
        }
      }
    }
    expect(pairs).toBeGreaterThan(1000);
  });
});
