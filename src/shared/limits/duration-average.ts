/** The share of the newest duration. The last twenty make nine tenths of the average. */
const newestShare = 0.1;

/** A duration counts as this many times the average at most: one that is far longer says little of the next ones. */
const maxTimes = 4;
const roomMs = 20;

/** A moving average of how long work has taken, in milliseconds; 0 before the first one. */
export class DurationAverage {
  #ms: number | undefined;

  get ms(): number {
    return this.#ms ?? 0;
  }

  add(ms: number): void {
    const average = this.#ms ?? ms;
    this.#ms = average + newestShare * (Math.min(ms, maxTimes * average + roomMs) - average);
  }
}
