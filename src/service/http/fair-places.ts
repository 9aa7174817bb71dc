import { ApiError } from './api-error.js';

interface Limits {
  /** How many hold a place at once. One organisation never holds more than half of them, but always one. */
  readonly places: number;
  /** How many of one organisation may wait. */
  readonly maxWaiting: number;
  /** Milliseconds that one may wait; null: for as long as it takes. */
  readonly maxWaitMs: number | null;
  /** What there is too much of, for the refusal: `large uploads are being received`. */
  readonly what: string;
}

interface Waiting {
  readonly start: () => void;
}

/**
 * A number of places that organisations share. Each waits in a line of its own, and a place that comes free goes to the next
 * organisation in turn. Where a line is too long to reach its end in time, 503 with Retry-After is answered at once.
 */
export class FairPlaces {
  readonly #limits: Limits;
  readonly #ofOne: number;
  readonly #held = new Map<string, number>();
  /** The organisation that had its turn last is the last. */
  readonly #lines = new Map<string, Set<Waiting>>();
  #free: number;
  /** Milliseconds for which places are held, of late. */
  #usualHold = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#free = limits.places;
    this.#ofOne = Math.max(1, Math.floor(limits.places / 2));
  }

  /**
   * Waits for a place. Answers what gives it back, which may be called twice. `signal` ends the wait of a client that has
   * disconnected.
   */
  async enter(organisationId: string, signal?: AbortSignal): Promise<() => void> {
    this.refuseIfFull(organisationId);
    if (this.#free === 0 || !this.#mayHoldMore(organisationId)) await this.#turn(organisationId, signal);
    else this.#take(organisationId);
    const begun = performance.now();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const hold = performance.now() - begun;
      this.#usualHold = this.#usualHold === 0 ? hold : this.#usualHold * 0.8 + hold * 0.2;
      this.#giveBack(organisationId);
    };
  }

  /** Throws the 503 that `enter` would. */
  refuseIfFull(organisationId: string): void {
    const { maxWaiting, maxWaitMs } = this.#limits;
    const waiting = this.#lines.get(organisationId)?.size ?? 0;
    if (waiting === 0) return;
    const expected = (waiting * this.#usualHold) / this.#ofOne;
    if (waiting >= maxWaiting || (maxWaitMs !== null && expected > maxWaitMs)) throw this.#busy();
  }

  #busy(): ApiError {
    const seconds = Math.min(60, Math.max(5, Math.ceil(this.#usualHold / 1000)));
    const detail = `too many ${this.#limits.what}: send it again in a while`;
    return new ApiError('unavailable', { detail, retryAfterSeconds: seconds });
  }

  #mayHoldMore(organisationId: string): boolean {
    return (this.#held.get(organisationId) ?? 0) < this.#ofOne;
  }

  #take(organisationId: string): void {
    this.#free -= 1;
    this.#held.set(organisationId, (this.#held.get(organisationId) ?? 0) + 1);
  }

  #giveBack(organisationId: string): void {
    this.#free += 1;
    const held = (this.#held.get(organisationId) ?? 0) - 1;
    if (held > 0) this.#held.set(organisationId, held);
    else this.#held.delete(organisationId);
    for (const [id, line] of this.#lines) {
      const [next] = line;
      if (next === undefined || !this.#mayHoldMore(id)) continue;
      next.start();
      return;
    }
  }

  #turn(organisationId: string, signal: AbortSignal | undefined): Promise<void> {
    const line = this.#lines.get(organisationId) ?? new Set();
    this.#lines.set(organisationId, line);
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.delete(waiting);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#lines.delete(organisationId);
        if (line.size > 0) this.#lines.set(organisationId, line);
      };
      const waiting: Waiting = {
        start: () => {
          leave();
          this.#take(organisationId);
          resolve();
        },
      };
      const giveUp = () => {
        leave();
        reject(this.#busy());
      };
      const { maxWaitMs } = this.#limits;
      const timer = maxWaitMs === null ? undefined : setTimeout(giveUp, maxWaitMs);
      signal?.addEventListener('abort', giveUp);
      line.add(waiting);
    });
  }
}
