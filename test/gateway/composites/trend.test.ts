import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trendLine } from '../../../src/gateway/composites/trend.js';

test('one domain’s findings are counted as they are', () => {
  expect(trendLine([{ before: 12, new: 4, reopened: 1, resolved: 8, open: 9 }], [])).toBe(
    'RED 12 -> 9 over 7 days: 4 new, 1 reopened, 8 resolved',
  );
});

test('domains are added up', () => {
  const reds = [
    { before: 4, new: 1, reopened: 0, resolved: 0, open: 5 },
    { before: 3, new: 0, reopened: 2, resolved: 5, open: 0 },
    { before: 1_000_000, new: 2, reopened: 0, resolved: 2, open: 1_000_000 },
  ];
  expect(trendLine(reds, [])).toBe('RED 1000007 -> 1000005 over 7 days: 3 new, 2 reopened, 7 resolved');
});

test('nothing is shown as nothing', () => {
  expect(trendLine([{ before: 0, new: 0, reopened: 0, resolved: 0, open: 0 }], [])).toBe(
    'RED 0 -> 0 over 7 days: 0 new, 0 reopened, 0 resolved',
  );
});

test('domains that could not answer are named', () => {
  expect(trendLine([{ before: 12, new: 4, reopened: 0, resolved: 7, open: 9 }], ['code', 'containers'])).toBe(
    'RED 12 -> 9 over 7 days: 4 new, 0 reopened, 7 resolved (without code, containers)',
  );
});

test('without any domain there is no number', () => {
  expect(trendLine([], ['dependencies', 'code', 'running_app', 'containers'])).toBe(
    'not known: no domain could answer',
  );
});

test('it is one line with the sums of all domains', () => {
  const count = fc.nat({ max: 1_000_000 });
  const changes = fc.record({ before: count, new: count, reopened: count, resolved: count, open: count });
  const form = /^RED (\d+) -> (\d+) over 7 days: (\d+) new, (\d+) reopened, (\d+) resolved$/;
  fc.assert(
    fc.property(fc.array(changes, { minLength: 1, maxLength: 4 }), (reds) => {
      const sum = (key: 'before' | 'open' | 'new' | 'reopened' | 'resolved') =>
        reds.reduce((total, red) => total + red[key], 0);
      const figures = (form.exec(trendLine(reds, [])) ?? []).slice(1).map(Number);
      expect(figures).toEqual([sum('before'), sum('open'), sum('new'), sum('reopened'), sum('resolved')]);
    }),
  );
});
