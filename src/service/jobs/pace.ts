/** Milliseconds of one transaction. On the embedded database everybody waits that long. */
const goalMs = 40;

export interface PaceLimits {
  /** Rows of the first step, before anything is known of the machine. */
  readonly first?: number;
  /**
   * Half of the first step where this is absent. A transaction has a cost of its own, and on a machine with other work all
   * steps take long. Without a least that fits the work, that would make the steps small and the work dearer.
   */
  readonly least?: number;
  readonly most?: number;
}

/**
 * How many rows the next transaction of a long work handles, so that it takes about 40 ms on this machine.
 */
export class Pace {
  #rows: number;
  readonly #least: number;
  readonly #most: number;

  constructor({ first = 200, least = first / 2, most = 5_000 }: PaceLimits = {}) {
    this.#rows = first;
    this.#least = Math.max(1, least);
    this.#most = most;
  }

  /** At least 1. */
  get rows(): number {
    return Math.max(1, Math.floor(this.#rows));
  }

  /** Runs one step of `rows` rows and learns from its time. */
  async measure<T>(rows: number, step: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await step();
    this.took(rows, performance.now() - begun);
    return result;
  }

  /** One step of `rows` rows has taken so many milliseconds. */
  took(rows: number, ms: number): void {
    const fitting = (rows * goalMs) / Math.max(ms, 0.1);
    // A pause of the machine is no property of the rows, so one step at most halves or doubles the number.
    if (ms > goalMs) this.#rows = Math.max(fitting, this.#rows / 2, this.#least);
    else if (rows >= this.#rows / 2) this.#rows = Math.min(Math.max(fitting, this.#rows), this.#rows * 2, this.#most);
  }
}
