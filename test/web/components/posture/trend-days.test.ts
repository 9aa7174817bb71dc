import { expect, test } from 'vitest';
import { daysOf, seriesOf, windowOf } from '../../../../src/web/components/posture/trend-days.js';
import type { Trend } from '../../../../src/web/components/posture/types.js';

const since = new Date('2026-11-20T00:00:00Z');
const day = (name: string, red: number) => ({ day: name, open: { red, yellow: 1, green: 2 }, new: 0, resolved: 0 });
const all = { known_since: new Date('2026-11-22T10:00:00Z'), days: [day('2026-11-22', 3), day('2026-11-23', 4)] };
const trend: Trend = {
  since,
  window_days: 3,
  all,
  domains: { dependencies: all, code: all, running_app: all, containers: all },
};

test('the window has all its days and today', () => {
  expect(windowOf(trend)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']);
});

test('days before anything was looked at are not known, which is not zero', () => {
  const days = daysOf(windowOf(trend), trend.all);
  expect(seriesOf(days).map(({ look, values }) => [look, values])).toEqual([
    ['RED', [null, null, 3, 4]],
    ['YELLOW', [null, null, 1, 1]],
    ['GREEN', [null, null, 2, 2]],
  ]);
});
