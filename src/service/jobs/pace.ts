/** Milliseconds of one transaction. On the embedded database everybody waits that long. */
const goalMs = 40;

interface PaceLimits {
  /** Rows of the first step, before anything is known of the machine. */
  readonly first: number;
  readonly most: number;
}

/**
 * How many rows the next transaction of a long work handles, so that it takes about 40 ms on this machine. A slow step counts
 * at once. After a quick one the number grows by half: the next rows may be larger.
 */
export class Pace {
  #rows: number;
  readonly #most: number;

  constructor({ first, most }: PaceLimits) {
    this.#rows = first;
    this.#most = most;
  }

  /** At least 1. */
  get rows(): number {
    return Math.max(1, Math.floor(this.#rows));
  }

  /** Runs one step of `rows` rows and learns from its time. */
  async timed<T>(rows: number, step: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await step();
    this.took(rows, performance.now() - begun);
    return result;
  }

  /** One step of `rows` rows has taken so many milliseconds. */
  took(rows: number, ms: number): void {
    const fitting = (rows * goalMs) / Math.max(ms, 0.1);
    // A pause of the machine is no property of the rows, so one step never divides the number by more than four.
    if (ms > goalMs) this.#rows = Math.max(Math.min(this.#rows, fitting), this.#rows / 4, 1);
    else if (rows >= this.#rows / 2) this.#rows = Math.min(this.#rows * 1.5, Math.max(fitting, this.#rows), this.#most);
  }
}
