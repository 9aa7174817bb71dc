import { FairQueue } from './fair-queue.js';

/** Milliseconds of work in one turn of the event loop. */
const budgetMs = 1;

/** Turns without work before one with it, while each of them accepts a connection. */
const maxPassed = 4;

/**
 * Shares the time of the event loop. One turn of it accepts one new connection, but works through everything else that is ready,
 * such as the answers of ten database connections. A crowd makes turns long, and then new connections wait for seconds before they
 * are accepted, where no limit sees them and no key goes before another. So work comes in pieces, and connections that wait to be
 * accepted go first. A turn has time for some pieces, which the keys (credentials, organisations) run one after the other.
 */
export class EventLoop {
  readonly #now: () => number;
  readonly #queue = new FairQueue({ name: 'pieces of work', maxRunning: 1, shares: 'pieces' });
  /** When work of the present turn began; undefined before any has. */
  #begunAt: number | undefined;
  /** When the pieces that waited began in the present turn. */
  #goneOnAt = 0;
  /** Whether a connection was accepted, so that there may be more. */
  #arrived = false;
  #passed = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Says that a connection was accepted: a turn for the next one goes before other work. */
  readonly arrived = (): void => {
    this.#arrived = true;
  };

  /** Resolves when the next piece of a key's work may run. Undefined where it may run now, as it may without a crowd. */
  next(key: string): Promise<void> | undefined {
    const isIdle = this.#queue.load.running === 0;
    if (isIdle && !this.#arrived && this.#hasTime()) return undefined;
    // The queue is held until the next turn.
    if (isIdle) setImmediate(this.#goOn, this.#queue.enter(''));
    return this.#queue.acquire(key).then(this.#afterPiece);
  }

  #hasTime(): boolean {
    if (this.#begunAt !== undefined) return this.#now() - this.#begunAt < budgetMs;
    this.#begunAt = this.#now();
    setImmediate(() => {
      this.#begunAt = undefined;
    });
    return true;
  }

  /** Lets the next piece run, unless this turn is left to connections. */
  readonly #goOn = (end: () => void): void => {
    const passes = this.#arrived && this.#passed < maxPassed;
    this.#arrived = false;
    this.#passed = passes ? this.#passed + 1 : 0;
    if (passes) {
      setImmediate(this.#goOn, end);
      return;
    }
    this.#goneOnAt = this.#now();
    end();
  };

  /** Ends a piece after all that it does without waiting for anything. */
  readonly #afterPiece = (end: () => void): void => {
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.#now() - this.#goneOnAt < budgetMs) end();
        else setImmediate(this.#goOn, end);
      }),
    );
  };
}

/** The event loop of this thread. */
export const eventLoop = new EventLoop();

/** How many callers without a known credential begin together, and the turns of the event loop that each of them takes. */
const newcomers = { maxRunning: 8, turns: 40 };

/**
 * Callers whose credential is not known: anybody can send as many as there are sockets. A turn of the event loop accepts one new
 * connection, so a crowd that came first would be worked off before the next caller is accepted. One of them begins in every few
 * turns, and addresses go one after the other. Turns without anything to do take no time.
 */
const ofNewcomers = new FairQueue({ name: 'newcomers', maxRunning: newcomers.maxRunning, shares: 'pieces' });

/** Resolves when a caller without a known credential may begin. */
export async function beginNewcomer(address: string): Promise<void> {
  const end = await ofNewcomers.acquire(address);
  let left = newcomers.turns;
  const turn = () => {
    left -= 1;
    if (left < 0) end();
    else setImmediate(turn);
  };
  turn();
}
