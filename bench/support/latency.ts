/** Quantiles of the time of calls, in milliseconds. */
export interface Latency {
  /** The tenth percentile: the time of a call when the machine has no other load. */
  readonly p10: number;
  readonly p50: number;
  readonly p95: number;
  readonly calls: number;
}

/** Limit for all calls together, so that slow calls are repeated less often. */
const budgetMs = 6_000;

/** Measures a call many times, after some to warm it up. */
export async function latencyOf(call: () => Promise<unknown>, calls = 60): Promise<Latency> {
  for (let warm = 0; warm < 5; warm += 1) await call();
  const begun = performance.now();
  const times: number[] = [];
  while (times.length < calls && (times.length < 5 || performance.now() - begun < budgetMs)) {
    times.push(await timed(call));
  }
  return latency(times);
}

export async function timed(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

export function latency(times: readonly number[]): Latency {
  return { p10: quantile(times, 0.1), p50: quantile(times, 0.5), p95: quantile(times, 0.95), calls: times.length };
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The header of the columns of `formatLatency`. */
export const latencyHeader = '  p10 ms    p50 ms      p95 ms';

/** The quantiles as columns, with `!` if the median misses the goal. */
export function formatLatency({ p10, p50, p95 }: Latency, goal = Number.POSITIVE_INFINITY): string {
  const [low, median, high] = [p10, p50, p95].map((ms) => ms.toFixed(2).padStart(8));
  return `${low}  ${median}${p50 < goal ? '  ' : ' !'}  ${high}`;
}
