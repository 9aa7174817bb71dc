import type { Position } from './position.js';

/** Where the primary was at a time of this process's clock, in milliseconds. */
interface Sample {
  readonly atMs: number;
  readonly position: Position;
}

/**
 * How old the rows of a replica are at most. It compares how far the replica is with where the primary was at known times. No clock of
 * another machine matters, a primary that is idle does not make its replica look late, and one that is cut off does.
 */
export class Freshness {
  readonly #keptMs: number;
  #samples: Sample[] = [];
  #replayed: Position = -1n;
  #freshAtMs = Number.NEGATIVE_INFINITY;

  /** @param keptMs older samples are forgotten: a replica that is later than that is not used */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** @param atMs before the primary was asked */
  primaryWasAt(position: Position, atMs: number): void {
    const newest = this.#samples.at(-1);
    if (newest?.position === position) this.#samples.pop();
    this.#samples.push({ position, atMs });
    this.#samples = this.#samples.filter((sample) => atMs - sample.atMs <= this.#keptMs);
  }

  replicaIsAt(position: Position): void {
    this.#replayed = position;
    const reached = this.#samples.findLast((sample) => sample.position <= position);
    if (reached === undefined) return;
    this.#freshAtMs = Math.max(this.#freshAtMs, reached.atMs);
    this.#samples = this.#samples.filter(({ atMs }) => atMs >= reached.atMs);
  }

  /** Nothing is known any more, as of a replica that has gone. */
  forget(): void {
    this.#samples = [];
    this.#replayed = -1n;
    this.#freshAtMs = Number.NEGATIVE_INFINITY;
  }

  shows(position: Position): boolean {
    return this.#replayed >= position;
  }

  /** Milliseconds. Infinite where it is not known. */
  lagAt(nowMs: number): number {
    return nowMs - this.#freshAtMs;
  }
}
