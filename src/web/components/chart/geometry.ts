import { scaleLinear } from '@visx/scale';
import { area, stack } from '@visx/shape';

export interface Series {
  /** As in `name` of the legend. */
  readonly name: string;
  readonly look: 'RED' | 'YELLOW' | 'GREEN';
  /** One for each day; null where it is not known. */
  readonly values: ReadonlyArray<number | null>;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
}

export const margin = { top: 8, right: 8, bottom: 24, left: 36 };

/** Where days and counts are drawn: a picture of stacked areas, the first series at the bottom. */
export function geometryOf(series: readonly Series[], days: number, { width, height }: Frame) {
  const known = Array.from({ length: days }, (_, at) => at).filter((at) =>
    series.every(({ values }) => values[at] != null),
  );
  const totals = known.map((at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const x = scaleLinear({ domain: [0, Math.max(days - 1, 1)], range: [margin.left, width - margin.right] });
  const y = scaleLinear({
    domain: [0, Math.max(...totals, 4)],
    range: [height - margin.bottom, margin.top],
    nice: 4,
  });
  const layers = stack<number, number>({
    keys: series.map((_, index) => index),
    value: (at, index) => series[index]?.values[at] ?? 0,
  })(known);
  const draw = area<{ readonly data: number; readonly 0: number; readonly 1: number }>({
    x: ({ data }) => x(data),
    y0: (band) => y(band[0]),
    y1: (band) => y(band[1]),
  });
  return {
    x,
    y,
    /** The first day that is known; undefined where none is. */
    first: known[0],
    paths: layers.map((layer) => draw(layer) ?? ''),
    tops: layers.map((layer) => layer.map(([, high], index) => ({ at: known[index] ?? 0, y: y(high) }))),
    ticks: y.ticks(4).filter(Number.isInteger),
  };
}

/** Days that get a name below: the last, and others as far apart as names need. */
export function namedDays(days: number, width: number): number[] {
  const most = Math.max(2, Math.floor(width / 90));
  const step = Math.max(1, Math.ceil((days - 1) / (most - 1)));
  return Array.from({ length: days }, (_, at) => at).filter((at) => (days - 1 - at) % step === 0);
}
