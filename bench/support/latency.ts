/** What calls took, in milliseconds. */
export interface Latency {
  /** Tenth of a hundred: what it takes where the machine has nothing else to do. */
  readonly p10: number;
  readonly p50: number;
  readonly p95: number;
  readonly calls: number;
}

/** A call that is slow is not made so often. */
const budgetMs = 6_000;

/** Times a call again and again, after a few that warm it up. */
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

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The heads of what `toldLatency` prints. */
export const latencyHeads = '  p10 ms    p50 ms      p95 ms';

/** The figures as columns, with a mark where the median misses the goal. */
export function toldLatency({ p10, p50, p95 }: Latency, goal = Number.POSITIVE_INFINITY): string {
  const [least, median, most] = [p10, p50, p95].map((ms) => ms.toFixed(2).padStart(8));
  return `${least}  ${median}${p50 < goal ? '  ' : ' !'}  ${most}`;
}
