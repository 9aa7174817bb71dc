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
  /** By who asks. The one that has begun last is the last. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #turn = 0;
  #free: number;
  #countedAt = performance.now();

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#free = options.burst;
  }

  /** Resolves when it is the turn of `who` to begin: all have one after the other, however many wait of each. */
  begin(who: string): Promise<void> {
    if (this.#waiting.size === 0 && this.#takeFree()) return Promise.resolve();
    return new Promise((begin) => {
      if (this.#waiting.size === 0) setImmediate(this.#next);
      const line = this.#waiting.get(who);
      if (line === undefined) this.#waiting.set(who, [begin]);
      else line.push(begin);
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
    if (this.#turn % this.#options.turns === 0) this.#beginOne();
    if (this.#waiting.size > 0) setImmediate(this.#next);
  };

  #beginOne(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [who, line] = first;
    const begin = line.shift();
    this.#waiting.delete(who);
    if (line.length > 0) this.#waiting.set(who, line);
    begin?.();
  }
}

/** Calls without a credential that is known: anybody can send as many as there are sockets. */
export const newcomers = new Pace({ perSecond: 100, burst: 8, turns: 10 });
