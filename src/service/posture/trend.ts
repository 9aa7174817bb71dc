import type * as z from 'zod';
import type { posture } from '../../procedures/posture.js';
import type { Domain } from '../../procedures/risk.js';
import type { Handlers } from '../api/handler.js';
import { countDays, countOpen, type DayCount, type OpenCount } from '../counts/day-counts.js';
import { firstLooked } from '../coverage/projects-searched.js';
import { dayOf, daysOf, inScopeOf, windowStart } from './scope.js';

type Series = z.output<typeof posture.getTrend.output>['all'];
type Point = Series['days'][number];

const tierNames = { RED: 'red', YELLOW: 'yellow', GREEN: 'green' } as const;

/** Everything comes from counts that the database keeps, so the work grows with days and projects, never with findings. */
export const getTrend: Handlers['posture']['getTrend'] = async (ctx, { window_days, ...asked }) => {
  const { tx, now } = ctx;
  const since = windowStart(now, window_days);
  const [open, days, known] = await inScopeOf(ctx, asked, (scope) =>
    Promise.all([countOpen(tx, scope), countDays(tx, scope, dayOf(since)), firstLooked(tx, scope)]),
  );
  const series = (isMeant: (domain: Domain) => boolean) => {
    const times = [...known].flatMap(([domain, at]) => (isMeant(domain) ? [at.getTime()] : []));
    return seriesOf(
      open.filter(({ domain }) => isMeant(domain)),
      days.filter(({ domain }) => isMeant(domain)),
      { since, now, knownSince: times.length === 0 ? null : new Date(Math.min(...times)) },
    );
  };
  const of = (domain: Domain) => series((each) => each === domain);
  return {
    since,
    window_days,
    all: series(() => true),
    domains: {
      dependencies: of('dependencies'),
      code: of('code'),
      running_app: of('running_app'),
      containers: of('containers'),
    },
  };
};

interface Reach {
  readonly since: Date;
  readonly now: Date;
  readonly knownSince: Date | null;
}

/** The points from the window's begin on, or from when something was first looked at. Goes back from what is open now. */
export function seriesOf(
  open: readonly OpenCount[],
  counted: readonly DayCount[],
  { since, now, knownSince }: Reach,
): Series {
  if (knownSince === null) return { known_since: null, days: [] };
  const today = dayOf(now);
  const begin = knownSince > since ? knownSince : since;
  const byDay = new Map<string, DayCount[]>();
  for (const count of counted) {
    // The clock of another instance may be ahead: its tomorrow is our today.
    const day = count.day > today ? today : count.day;
    byDay.set(day, [...(byDay.get(day) ?? []), count]);
  }
  const left = { red: 0, yellow: 0, green: 0 };
  for (const { tier, count } of open) left[tierNames[tier]] += count;
  const days = daysOf(begin, now).filter((day) => day <= today);
  const points = days.toReversed().map((day): Point => {
    const point = { day, open: { ...left }, new: 0, resolved: 0 };
    for (const { tier, appeared, resolved, net } of byDay.get(day) ?? []) {
      point.new += appeared;
      point.resolved += resolved;
      left[tierNames[tier]] -= net;
    }
    return point;
  });
  return { known_since: knownSince, days: points.reverse() };
}
