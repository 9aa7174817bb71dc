import { describe, expect, test } from 'vitest';
import type { Usage } from '../../src/shared/vulnerability-terms.js';
import type { StoredEvidence, UsageEvidence } from '../../src/verdict/evidence.js';
import { effectivePriority } from '../../src/verdict/formula.js';
import { priorityInputs } from '../../src/verdict/machine-verdict.js';
import { reasoning } from '../../src/verdict/reasoning.js';

const usage: UsageEvidence = {
  usage: 'imported',
  confidence: 'high',
  vulnerableSymbols: [],
  sites: [{ file: 'src/a.ts', line: 12, column: 1, symbols: ['merge'] }],
  siteCount: 4,
  paths: [],
  symbols: 'none_known',
  reported: 'reached',
  searched: true,
  gaps: [],
  chain: [],
};

const evidence: StoredEvidence = {
  versions: ['4.17.11'],
  usage,
  exploit: {
    severity: 'critical',
    cvss: { version: '3.1', score: 9.1, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H' },
    attackVector: 'N',
    epss: { probability: 0.0341, percentile: 0.86979, date: '2025-08-15', model: 'v2025.03.14' },
    kev: null,
  },
  exposure: 'internet',
};

function explain(changed: Partial<StoredEvidence>, kevCatalogue: string | null = '2025-08-25'): string {
  const full = { ...evidence, ...changed };
  const sources = { analyzer: 'reach 0.1.0', reportedAt: new Date('2025-08-16T00:00:00Z'), kevCatalogue };
  return reasoning('lodash', full, sources, effectivePriority(priorityInputs(full)));
}

test('tells usage, exploitation, exposure and the sum, with sources and dates', () => {
  expect(explain({})).toBe(
    '`lodash` 4.17.11 is imported in `src/a.ts:12` and 3 more places. ' +
      'CVSS 9.1; EPSS 3.4 % (87th percentile, 2025-08-15); not in KEV (2025-08-25); network attack vector. ' +
      'The project is declared internet-facing. ' +
      'EffectivePriority 62.2 = 73.1 risk x 0.85 usage x 1.00 exposure (ep-2).',
  );
});

test('names what is unknown as unknown', () => {
  const nothing = { severity: null, cvss: null, attackVector: null, epss: null, kev: null };
  const text = explain({ exposure: 'unknown', exploit: nothing }, null);
  expect(text).toContain('severity unknown; EPSS unknown; KEV unknown; attack vector unknown, taken as network.');
  expect(text).toContain('The project’s exposure is not declared.');
});

test('says which floor a known exploited vulnerability stands on', () => {
  const text = explain({
    usage: { ...usage, usage: 'not_used' },
    exploit: { ...evidence.exploit, kev: { dateAdded: '2022-01-18' } },
  });
  expect(text).toContain('in KEV since 2022-01-18');
  expect(text).toContain('EffectivePriority 20.0, the least for a known exploited vulnerability used like this');
});

describe('the usage sentence', () => {
  const grunt = [['pkg:npm/grunt@1.0.0', 'pkg:npm/lodash@4.17.11']];
  const gaps = ['app.ts:3 imports what only a run can say', 'a', 'b'];
  test.each<[Usage, Partial<UsageEvidence>, string]>([
    [
      'called',
      { vulnerableSymbols: ['template'], symbols: 'referenced', siteCount: 2 },
      '`lodash` 4.17.11 is called: the vulnerable `template` is referenced.',
    ],
    [
      'called',
      { vulnerableSymbols: ['lodash.merge'], symbols: 'referenced', siteCount: 1 },
      'is called: the vulnerable `lodash.merge` is referenced in `src/a.ts:12`.',
    ],
    [
      'called',
      { siteCount: 1 },
      'is in use: code that an entry point reaches imports it in `src/a.ts:12`. No advisory names the vulnerable functions.',
    ],
    [
      'called',
      { symbols: 'not_excluded', siteCount: 1 },
      'imports it in `src/a.ts:12`. No reference to a vulnerable function was seen, but it could not be excluded.',
    ],
    [
      'imported',
      { symbols: 'excluded' },
      'is imported in `src/a.ts:12` and 3 more places; the complete list of what is referenced names none of the vulnerable functions.',
    ],
    [
      'imported',
      { reported: 'imported', symbols: 'referenced', vulnerableSymbols: ['merge'] },
      'is imported in `src/a.ts:12` and 3 more places, by code that no known entry point reaches.',
    ],
    [
      'loaded',
      {
        reported: 'loaded',
        chain: [
          { purl: null, file: 'app.ts', line: 12 },
          { purl: 'pkg:npm/express@4.18.2', file: 'index.js', line: 3 },
          { purl: 'pkg:npm/express@4.18.2', file: 'lib/express.js', line: 15 },
          { purl: 'pkg:npm/%40scope/parser@1.0.0', file: 'index.js', line: null },
        ],
      },
      'is loaded when the project runs: `app.ts:12 -> express -> @scope/parser`.',
    ],
    ['loaded', { reported: 'loaded' }, 'is loaded when the project runs, as the analysis or a recorded run shows.'],
    [
      'transitive_only',
      { reported: 'transitive', paths: grunt, sites: [] },
      'is not imported directly; `pkg:npm/grunt@1.0.0` brings it in. Whether it is loaded is not known.',
    ],
    [
      'transitive_only',
      { reported: 'mentioned', confidence: 'low', siteCount: 1 },
      'is not imported, but a string, a configuration or a package in use names it, so it may be used in `src/a.ts:12` (low confidence).',
    ],
    [
      'transitive_only',
      { reported: 'unused', confidence: 'low', searched: false, gaps, sites: [] },
      'No use of `lodash` 4.17.11 in production was found, but none could be excluded: app.ts:3 imports what only a run can say, and 2 more reasons (low confidence).',
    ],
    [
      'transitive_only',
      { reported: 'tooling', confidence: 'low', searched: false },
      'but none could be excluded: the search was not complete (low confidence).',
    ],
    [
      'not_analyzed',
      { reported: null },
      'The usage report does not name `lodash` 4.17.11: how it is used is not known.',
    ],
    [
      'not_analyzed',
      { reported: 'not_analyzed', gaps: ['no source of Go was read'] },
      'How `lodash` 4.17.11 is used was not analyzed: no source of Go was read.',
    ],
    [
      'not_loaded',
      { reported: 'not_loaded', paths: grunt },
      'is brought in, but not loaded: reach 0.1.0 followed the installed packages from every entry point, with nothing left out; `pkg:npm/grunt@1.0.0` brings it in.',
    ],
    [
      'dev_only',
      { reported: 'tooling', siteCount: 1 },
      'is used by development tooling or types alone in `src/a.ts:12`: production code was searched completely.',
    ],
    [
      'not_used',
      { reported: 'unused', sites: [] },
      'is not used: reach 0.1.0 searched production code completely, and found no import or mention of it, and nothing in use that brings it in.',
    ],
  ])('%s %j', (of, changed, expected) => {
    expect(explain({ usage: { ...usage, usage: of, ...changed } })).toContain(expected);
  });

  test('of a verdict that was computed before all this was known', () => {
    const { symbols: _, reported: __, gaps: ___, searched: ____, chain: _____, ...former } = usage;
    expect(explain({ usage: { ...former, usage: 'called' } })).toContain(
      'is in use: code that an entry point reaches imports it',
    );
  });
});
