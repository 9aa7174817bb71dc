/** Milliseconds of work in one turn of the event loop. */
const budgetMs = 1;

/** Turns without work for one with it, while each of them takes in a connection. */
const maxPassed = 4;

/**
 * Shares the time of the event loop. One turn of it takes in one new connection, but works through everything else that is ready,
 * as the answers of ten database connections. A crowd makes turns long, and then new connections wait for seconds before they
 * are accepted, where no limit sees them and no lane goes before another. So work comes in pieces, and first come those who are
 * at the door. A turn has time for some pieces. Of those that wait, each lane (a credential, an organisation) has one after the
 * other.
 */
export class LoopTurns {
  readonly #now: () => number;
  /** By lane. The one that has gone on last is the last. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When work of the present turn began; undefined before any has. */
  #begunAt: number | undefined;
  /** A connection was taken in, and there may be more. */
  #arrived = false;
  #passed = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Says that a connection was taken in: a turn for the next one goes before other work. */
  readonly arrived = (): void => {
    this.#arrived = true;
  };

  /** Resolves when the next piece of a lane's work may run. Undefined where it may run now, as it may without a crowd. */
  next(lane: string): Promise<void> | undefined {
    if (this.#waiting.size === 0 && !this.#arrived && this.#hasTime()) return undefined;
    return new Promise((goOn) => {
      if (this.#waiting.size === 0) setImmediate(this.#work);
      const line = this.#waiting.get(lane);
      if (line === undefined) this.#waiting.set(lane, [goOn]);
      else line.push(goOn);
    });
  }

  #hasTime(): boolean {
    if (this.#begunAt !== undefined) return this.#now() - this.#begunAt < budgetMs;
    this.#begunAt = this.#now();
    setImmediate(() => {
      this.#begunAt = undefined;
    });
    return true;
  }

  /** Goes on with those that wait until the time of the turn is over. */
  readonly #work = () => {
    const passes = this.#arrived && this.#passed < maxPassed;
    this.#arrived = false;
    this.#passed = passes ? this.#passed + 1 : 0;
    if (passes) {
      setImmediate(this.#work);
      return;
    }
    const begunAt = this.#now();
    const goOn = () => {
      this.#goOnWithOne();
      if (this.#waiting.size === 0) return;
      // After all that the piece does without waiting for anything.
      queueMicrotask(() =>
        process.nextTick(() => (this.#now() - begunAt < budgetMs ? goOn() : setImmediate(this.#work))),
      );
    };
    goOn();
  };

  #goOnWithOne(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [lane, line] = first;
    const goOn = line.shift();
    this.#waiting.delete(lane);
    if (line.length > 0) this.#waiting.set(lane, line);
    goOn?.();
  }
}

/** The turns of this thread. */
export const loopTurns = new LoopTurns();
