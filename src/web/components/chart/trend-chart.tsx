import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { calendarDate, shortDate } from '../format/format.js';
import { geometryOf, margin, namedDays, type Series } from './geometry.js';
import styles from './trend-chart.module.css';

interface TrendChartProps {
  /** What is drawn: `Open findings by day`. */
  readonly label: string;
  /** The unit of the axis: `open findings`. */
  readonly unit: string;
  /** Calendar dates (UTC), oldest first; the last is today. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** The values of a day in words, for the legend and for those who do not see the picture. */
  readonly legend: (day: number) => ReactNode;
  readonly describe: (day: number) => string;
}

const height = 220;

/**
 * Stacked areas over days. Pointer and arrow keys choose a day, whose values the legend shows; without a choice it is the last.
 * Days that are not known are hatched. The values in a table are the caller's to add.
 */
export function TrendChart({ label, unit, days, series, legend, describe }: TrendChartProps) {
  const [element, width] = useWidth();
  const [chosen, setChosen] = useState<number | null>(null);
  const last = days.length - 1;
  const day = Math.min(chosen ?? last, last);
  const choose = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width: whole } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left - margin.left) / Math.max(whole - margin.left - margin.right, 1);
    setChosen(Math.round(Math.min(Math.max(share, 0), 1) * last));
  };
  const move = (event: KeyboardEvent) => {
    const next = { ArrowLeft: day - 1, ArrowDown: day - 1, ArrowRight: day + 1, ArrowUp: day + 1, Home: 0, End: last }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.min(Math.max(next, 0), last));
  };
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend}>
        {legend(day)}
        <span className={styles.day}>{day === last ? 'today, until now' : calendarDate(days[day] ?? '')}</span>
      </figcaption>
      <div
        ref={element}
        className={styles.picture}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={`${label}: choose a day`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={day}
        aria-valuetext={`${calendarDate(days[day] ?? '')}: ${describe(day)}`}
        onKeyDown={move}
        onPointerMove={choose}
        onPointerDown={choose}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
      >
        {width !== null && <Picture {...{ width, days, series, unit }} day={chosen} />}
      </div>
    </figure>
  );
}

interface PictureProps extends Pick<TrendChartProps, 'days' | 'series' | 'unit'> {
  readonly width: number;
  readonly day: number | null;
}

function Picture({ width, days, series, unit, day }: PictureProps) {
  const { x, y, first, paths, tops, ticks } = geometryOf(series, days.length, { width, height });
  const bottom = height - margin.bottom;
  // The lowest is drawn last: where nothing lies between two lines, it is the one to see.
  const lines = series.map(({ name, look }, index) => ({ name, look, points: tops[index] ?? [] })).reverse();
  return (
    <svg width={width} height={height} aria-hidden="true">
      <defs>
        <pattern id="not-known" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V8" className={styles.hatch} />
        </pattern>
      </defs>
      {ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${margin.left} ${y(tick)}H${width - margin.right}`} className={styles.grid} />
          <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {first !== 0 && (
        <rect
          x={margin.left}
          y={margin.top}
          width={Math.max(x(first ?? days.length - 1) - margin.left, 0)}
          height={bottom - margin.top}
          fill="url(#not-known)"
        />
      )}
      <text x={margin.left + 4} y={margin.top + 12} className={styles.unit}>
        {unit}
      </text>
      {paths.map((path, index) => (
        <path key={series[index]?.name} d={path} className={styles[series[index]?.look ?? 'GREEN']} />
      ))}
      {lines.map(({ points, name, look }) => (
        <g key={name} className={styles[`${look}_line`]}>
          <polyline points={points.map((point) => `${x(point.at)},${point.y}`).join(' ')} />
          {points.slice(-1).map((point) => (
            <circle key={point.at} cx={x(point.at)} cy={point.y} r={2} />
          ))}
        </g>
      ))}
      {namedDays(days.length, width).map((at) => (
        <text
          key={at}
          x={x(at)}
          y={height - 6}
          textAnchor={at === days.length - 1 ? 'end' : at === 0 ? 'start' : 'middle'}
        >
          {at === days.length - 1 ? 'today' : shortDate(days[at] ?? '')}
        </text>
      ))}
      {day !== null && <path d={`M${x(day)} ${margin.top}V${bottom}`} className={styles.guide} />}
    </svg>
  );
}

/** The width of an element in pixels, kept up to date; null until it is measured. */
function useWidth(): readonly [RefObject<HTMLDivElement | null>, number | null] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
