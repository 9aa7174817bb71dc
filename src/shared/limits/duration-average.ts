/** The share of the newest duration. The last twenty make nine tenths of the average. */
const newestShare = 0.1;

/** A moving average of how long work has taken, in milliseconds; 0 before the first one. */
export class DurationAverage {
  #ms: number | undefined;

  get ms(): number {
    return this.#ms ?? 0;
  }

  add(ms: number): void {
    this.#ms = this.#ms === undefined ? ms : this.#ms + newestShare * (ms - this.#ms);
  }
}
