import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Tier } from '../../../shared/vulnerability-terms.js';
import { api } from '../../api/client.js';
import { domainWords } from '../../words.js';
import { TierDot } from '../badge/badge.js';
import { TrendChart } from '../chart/trend-chart.js';
import { calendarDate, counted } from '../format/format.js';
import { Loaded, Missing } from '../page/page.js';
import type { PostureSearch, Window } from './search.js';
import { daysOf, seriesOf, type TrendDay, windowOf } from './trend-days.js';
import styles from './trend-picture.module.css';
import { type Scope, scoped, type Trend } from './types.js';

interface TrendPictureProps extends Scope {
  readonly days: Window;
  readonly domain: PostureSearch['domain'];
  readonly skeleton: ReactNode;
}

export default function TrendPicture({ days, domain, skeleton, ...scope }: TrendPictureProps) {
  const query = useQuery(api.posture.getTrend.queryOptions({ ...scoped(scope), window_days: days }));
  return (
    <Loaded query={query} skeleton={skeleton}>
      {(trend) => <Picture trend={trend} domain={domain} />}
    </Loaded>
  );
}

function Picture({ trend, domain }: { readonly trend: Trend; readonly domain: PostureSearch['domain'] }) {
  const known = domain === undefined ? trend.all : trend.domains[domain];
  const what = domain === undefined ? 'Nothing' : domainWords[domain];
  if (known.known_since === null) {
    return <Missing title="No history." reason={`${what} was never looked at, so there is nothing to draw.`} />;
  }
  const window = windowOf(trend);
  const days = daysOf(window, known);
  const isShort = known.known_since > trend.since;
  return (
    <>
      <TrendChart
        label="Open findings by day"
        unit="open findings"
        days={window}
        series={seriesOf(days)}
        legend={(at) => <Legend day={days[at] ?? null} />}
        describe={(at) => describe(days[at] ?? null)}
      />
      {isShort && (
        <p className={styles.note}>
          History begins on {calendarDate(known.known_since.toISOString().slice(0, 10))}, when{' '}
          {domain === undefined ? 'the first of these' : 'this'} was looked at. Before that nothing is known.
        </p>
      )}
      <TrendTable days={days} window={window} />
    </>
  );
}

const tiers = [
  ['RED', 'red'],
  ['YELLOW', 'yellow'],
  ['GREEN', 'green'],
] as const satisfies readonly (readonly [Tier, string])[];

function Legend({ day }: { readonly day: TrendDay | null }) {
  if (day === null) return <span className={styles.quiet}>not known</span>;
  return (
    <>
      {tiers.map(([tier, name]) => (
        <span key={tier} className={styles.key}>
          <strong>{day.open[name]}</strong> <TierDot tier={tier} />
        </span>
      ))}
      <span className={styles.quiet}>
        {day.new} new, {day.resolved} resolved
      </span>
    </>
  );
}

function describe(day: TrendDay | null): string {
  if (day === null) return 'not known';
  const { open } = day;
  return `${open.red} red, ${open.yellow} yellow, ${open.green} green open; ${day.new} new, ${day.resolved} resolved`;
}

interface TableProps {
  readonly days: ReadonlyArray<TrendDay | null>;
  readonly window: readonly string[];
}

function TrendTable({ days, window }: TableProps) {
  const rows = window.map((date, at) => ({ date, day: days[at] ?? null })).toReversed();
  return (
    <details className={styles.behind}>
      <summary>The same as a table ({counted(rows.length, 'day')}, UTC)</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section aria-label="Open findings by day" tabIndex={0} className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              {['Day', 'Red', 'Yellow', 'Green', 'New', 'Resolved'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ date, day }) => (
              <tr key={date}>
                <th scope="row">{calendarDate(date)}</th>
                {day === null ? (
                  <td colSpan={5}>not known</td>
                ) : (
                  [day.open.red, day.open.yellow, day.open.green, day.new, day.resolved].map((value, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not move.
                    <td key={column}>{value}</td>
                  ))
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
