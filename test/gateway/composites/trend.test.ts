import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trendLine } from '../../../src/gateway/composites/trend.js';

test('one domain’s findings are counted as they are', () => {
  expect(trendLine([{ new: 4, resolved: 7, open: 9 }], [])).toBe('RED 12 -> 9 over 7 days: 4 new, 7 resolved');
});

test('domains are added up', () => {
  const reds = [
    { new: 1, resolved: 0, open: 5 },
    { new: 0, resolved: 3, open: 0 },
    { new: 2, resolved: 2, open: 1_000_000 },
  ];
  expect(trendLine(reds, [])).toBe('RED 1000007 -> 1000005 over 7 days: 3 new, 5 resolved');
});

test('nothing is shown as nothing', () => {
  expect(trendLine([{ new: 0, resolved: 0, open: 0 }], [])).toBe('RED 0 -> 0 over 7 days: 0 new, 0 resolved');
});

test('domains that could not answer are named', () => {
  expect(trendLine([{ new: 4, resolved: 7, open: 9 }], ['code', 'containers'])).toBe(
    'RED 12 -> 9 over 7 days: 4 new, 7 resolved (without code, containers)',
  );
});

test('without any domain there is no number', () => {
  expect(trendLine([], ['dependencies', 'code', 'running_app', 'containers'])).toBe(
    'not known: no domain could answer',
  );
});

test('it is one line whose figures balance', () => {
  const count = fc.nat({ max: 1_000_000 });
  const changes = fc
    .record({ before: count, new: count, gone: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map((drawn) => ({ ...drawn, resolved: Math.floor(drawn.before * drawn.gone) }))
    .map((drawn) => ({ ...drawn, open: drawn.before - drawn.resolved + drawn.new }));
  fc.assert(
    fc.property(fc.array(changes, { minLength: 1, maxLength: 4 }), (reds) => {
      const before = reds.reduce((sum, red) => sum + red.before, 0);
      const line = /^RED (\d+) -> (\d+) over 7 days: (\d+) new, (\d+) resolved$/.exec(trendLine(reds, []));
      const [from, to, arrived, gone] = (line ?? []).slice(1).map(Number);
      expect(from).toBe(before);
      expect((from ?? 0) + (arrived ?? 0) - (gone ?? 0)).toBe(to);
    }),
  );
});
