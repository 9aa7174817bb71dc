import { type Kept, keep } from '../../shared/kept.js';

/**
 * Counts by key within the last `windowMs` milliseconds, at most `limit` of them a key. The key that was counted least
 * recently is dropped first.
 */
export class SlidingWindows {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #times: Kept<number[]> = keep('failedSignIns');

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Milliseconds until the key may be counted again; 0 where it may be now. */
  waitMs(key: string, now: number): number {
    const recent = this.#recent(key, now);
    const [oldest] = recent;
    return oldest === undefined || recent.length < this.#limit ? 0 : oldest + this.#windowMs - now;
  }

  count(key: string, now: number): void {
    const recent = this.#recent(key, now);
    this.#times.set(key, [...recent, now].slice(-this.#limit));
  }

  /** Takes one count back. */
  uncount(key: string, at: number): void {
    const times = this.#times.peek(key);
    const place = times?.lastIndexOf(at) ?? -1;
    if (times === undefined || place < 0) return;
    if (times.length === 1) this.#times.delete(key);
    else this.#times.set(key, times.toSpliced(place, 1));
  }

  forget(key: string): void {
    this.#times.delete(key);
  }

  #recent(key: string, now: number): readonly number[] {
    const times = this.#times.peek(key) ?? [];
    const from = times.findIndex((at) => at > now - this.#windowMs);
    return from === 0 ? times : from < 0 ? [] : times.slice(from);
  }
}
