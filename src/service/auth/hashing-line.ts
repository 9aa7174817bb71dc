import { availableParallelism } from 'node:os';
import { ApiError } from '../http/api-error.js';

interface Limits {
  readonly maxAtOnce: number;
  readonly maxWaiting: number;
  readonly maxWaitingOfOne: number;
  readonly maxWaitMs: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

/**
 * Bounds the work of hashing passwords, which anybody can cause without a credential. Networks take turns, so that one that
 * sends many neither delays the others nor fills the line for them. Who finds the line too long, or waits too long, gets 503.
 */
export class HashingLine {
  readonly #limits: Limits;
  readonly #lines = new Map<string, Set<Waiting>>();
  #running = 0;
  #waiting = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @param network whose turn it is; all without one share a line */
  async run<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.maxAtOnce) this.#running += 1;
    else await this.#turn(network);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(network: string): Promise<void> {
    const line = this.#lines.get(network) ?? new Set<Waiting>();
    const { maxWaiting, maxWaitingOfOne, maxWaitMs } = this.#limits;
    if (line.size >= maxWaitingOfOne) throw busy();
    if (this.#waiting >= maxWaiting && !this.#makeRoomFor(line.size + 1)) throw busy();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting -= 1;
        line.delete(waiting);
        if (line.size === 0) this.#lines.delete(network);
      };
      const waiting: Waiting = {
        start() {
          leave();
          resolve();
        },
        refuse() {
          leave();
          reject(busy());
        },
      };
      const timer = setTimeout(waiting.refuse, maxWaitMs);
      line.add(waiting);
      this.#lines.set(network, line);
      this.#waiting += 1;
    });
  }

  /** Refuses the last one of the longest line, where that is longer than one with this many would be. */
  #makeRoomFor(count: number): boolean {
    const longest = [...this.#lines.values()].reduce((a, b) => (b.size > a.size ? b : a), new Set<Waiting>());
    if (longest.size <= count) return false;
    [...longest].at(-1)?.refuse();
    return true;
  }

  /** Hands the place on to the network that has waited longest for a turn; it then goes to the end. */
  #next(): void {
    const [first] = this.#lines;
    const [network, line] = first ?? [];
    const [waiting] = line ?? [];
    if (network === undefined || line === undefined || waiting === undefined) {
      this.#running -= 1;
      return;
    }
    this.#lines.delete(network);
    if (line.size > 1) this.#lines.set(network, line);
    waiting.start();
  }
}

function busy(): ApiError {
  const detail = 'too many passwords are being checked: try again in a moment';
  return new ApiError('unavailable', { detail, retryAfterSeconds: 2 });
}

/** With two processors, two hashes at once would leave none for the requests of others. */
const maxAtOnce = availableParallelism() > 2 ? 2 : 1;

const line = new HashingLine({ maxAtOnce, maxWaiting: 64, maxWaitingOfOne: 32, maxWaitMs: 5_000 });

/**
 * Runs work that hashes or checks a password, two at a time in this process, or one where there are two processors: each takes
 * 19 MiB and a processor for tens of milliseconds.
 *
 * @param network of the caller
 */
export function inHashingLine<T>(network: string, work: () => Promise<T>): Promise<T> {
  return line.run(network, work);
}
