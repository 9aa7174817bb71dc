/** What a step of the embedded database may take: everybody else waits for it. */
const stepMs = 40;

/** Rows of one step, so that a step takes about 40 ms whatever the machine and the rows. */
export class Pace {
  readonly #least: number;
  readonly #most: number;
  #rows: number;

  constructor({ least = 50, first = 200, most = 5_000 } = {}) {
    this.#least = least;
    this.#most = most;
    this.#rows = first;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Runs work on that many rows and learns from the time that it takes. */
  async measure<T>(rows: number, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await work();
    const took = Math.max(1, performance.now() - begun);
    // At most twice as many as before: the first rows of a table are cheap.
    const fitting = Math.min(Math.max(rows, this.#least) * (stepMs / took), this.#rows * 2);
    this.#rows = Math.round(Math.min(this.#most, Math.max(this.#least, (this.#rows + fitting) / 2)));
    return result;
  }
}
