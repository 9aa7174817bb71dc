/** How many of the newest durations are looked at. */
const remembered = 9;

/**
 * How long work typically takes, in milliseconds: the median of the newest nine durations, where those that are not known yet
 * count as 0. So one long piece of work, as the first one of a lane often is, says nothing of those that follow, and five do.
 */
export class TypicalDuration {
  readonly #newest: number[] = [];
  #ms = 0;

  get ms(): number {
    return this.#ms;
  }

  add(ms: number): void {
    this.#newest.push(ms);
    if (this.#newest.length > remembered) this.#newest.shift();
    const unknown = remembered - this.#newest.length;
    const sorted = this.#newest.toSorted((a, b) => a - b);
    this.#ms = sorted[(remembered - 1) / 2 - unknown] ?? 0;
  }
}
