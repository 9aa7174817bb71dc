/** What begins at once; what is beyond begins when it is its turn. */
interface PaceOptions {
  readonly perSecond: number;
  /** Pieces of work that may begin together after a rest. */
  readonly burst: number;
  /** Turns of the event loop for each piece beyond. */
  readonly turns: number;
}

/**
 * Begins a crowd's work in every few turns of the event loop. A turn takes one new connection: a crowd that came first would
 * otherwise be worked off, one by one, before the next caller is let in at all. Turns without anything to do take no time.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #waiting: (() => void)[] = [];
  #turn = 0;
  #free: number;
  #countedAt = performance.now();

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#free = options.burst;
  }

  /** Resolves when it is the caller's turn to begin. First come, first served. */
  begin(): Promise<void> {
    if (this.#waiting.length === 0 && this.#takeFree()) return Promise.resolve();
    return new Promise((begin) => {
      if (this.#waiting.push(begin) === 1) setImmediate(this.#next);
    });
  }

  #takeFree(): boolean {
    const { perSecond, burst } = this.#options;
    const now = performance.now();
    this.#free = Math.min(burst, this.#free + ((now - this.#countedAt) * perSecond) / 1000);
    this.#countedAt = now;
    if (this.#free < 1) return false;
    this.#free -= 1;
    return true;
  }

  readonly #next = () => {
    this.#turn += 1;
    if (this.#turn % this.#options.turns === 0) this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#next);
  };
}

/** Calls without a credential that is known: anybody can send as many as there are sockets. */
export const newcomers = new Pace({ perSecond: 100, burst: 8, turns: 10 });
