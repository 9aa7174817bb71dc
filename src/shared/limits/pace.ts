/**
 * Begins one piece of work in every few turns of the event loop. A turn takes one new connection: a crowd that came first would
 * otherwise be worked off, one by one, before the next caller is let in at all. Turns without anything to do take no time.
 */
export class Pace {
  readonly #turns: number;
  readonly #waiting: (() => void)[] = [];
  #turn = 0;

  /** @param turns of the event loop that each piece of work is given */
  constructor(turns: number) {
    this.#turns = turns;
  }

  /** Resolves when it is the caller's turn to begin. First come, first served. */
  begin(): Promise<void> {
    return new Promise((begin) => {
      if (this.#waiting.push(begin) === 1) setImmediate(this.#next);
    });
  }

  readonly #next = () => {
    this.#turn += 1;
    if (this.#turn % this.#turns === 0) this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#next);
  };
}

/** Calls without a credential that is known: anybody can send as many as there are sockets. */
export const newcomers = new Pace(10);
