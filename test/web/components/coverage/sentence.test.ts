import { expect, test } from 'vitest';
import { type CoverageAnswer, coverageSentence } from '../../../../src/web/components/coverage/sentence.js';

function coverage(parts: Partial<CoverageAnswer>): CoverageAnswer {
  return {
    status: 'not_affected',
    domains: [
      { domain: 'dependencies', status: 'not_affected' },
      { domain: 'running_app', status: 'not_affected' },
    ],
    feeds: [],
    known: true,
    gaps: [],
    ...parts,
  };
}

test('an answer without gaps says what was searched', () => {
  expect(coverageSentence(coverage({}))).toBe(
    'All of dependencies and running app was searched, and nothing is missing.',
  );
});

test('an unknown one says that it does not mean safe, and why', () => {
  const text = coverageSentence(coverage({ status: 'unknown', gaps: ['no image has been scanned'] }));
  expect(text).toBe('This does not mean safe: no image has been scanned.');
});

test('an unknown one without a named gap does not sound safe either', () => {
  expect(coverageSentence(coverage({ status: 'unknown' }))).toContain('does not mean safe');
});

test('of many gaps two are named, and the others counted', () => {
  const text = coverageSentence(coverage({ status: 'affected', gaps: ['a', 'b', 'c', 'd'] }));
  expect(text).toBe('Not everything was looked at: a; b; 2 more below.');
});
