import { Refusal } from './refusal.js';

/** A number of calls that one key, such as a credential, may have under way at once. */
export interface InFlightLimit {
  readonly max: number;
  /** Whose calls are counted together, for messages, as `one credential`. */
  readonly of: string;
  /** Seconds after which a refused caller may try again. */
  readonly retryAfterSeconds: number;
}

/** Counts the calls of each key that are under way. Keys without calls take no memory. */
export class InFlight {
  readonly #limit: InFlightLimit;
  readonly #calls = new Map<string, number>();

  constructor(limit: InFlightLimit) {
    this.#limit = limit;
  }

  /** Counts a call until the answered function is called. Throws `Refusal` (`rate_limited`) where it is one too many. */
  enter(key: string): () => void {
    const calls = this.#calls.get(key) ?? 0;
    const { max, of, retryAfterSeconds } = this.#limit;
    if (calls >= max) throw new Refusal('rate_limited', `more than ${max} calls at once by ${of}`, retryAfterSeconds);
    this.#calls.set(key, calls + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.#calls.get(key) ?? 1) - 1;
      if (left === 0) this.#calls.delete(key);
      else this.#calls.set(key, left);
    };
  }
}
