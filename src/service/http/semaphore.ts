import { ApiError } from './api-error.js';

interface Limits {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

/**
 * Limits how many pieces of work run at once; others wait in order of arrival. Fails with 503 and Retry-After where too
 * many wait already, or after too long a wait.
 */
export class Semaphore {
  readonly #limits: Limits;
  /** Each call starts one piece of waiting work. */
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Runs the work when a slot is free. `signal` ends the wait of a client that has disconnected. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.maxConcurrent) this.#running += 1;
    else await this.#slot(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      // The next one takes over this slot, so the number of running ones stays the same.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #slot(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#limits.maxWaiting) throw busy();
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        this.#waiting.delete(start);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      };
      const start = () => {
        stopWaiting();
        resolve();
      };
      const giveUp = () => {
        stopWaiting();
        reject(busy());
      };
      const timer = setTimeout(giveUp, this.#limits.maxWaitMs);
      signal.addEventListener('abort', giveUp);
      this.#waiting.add(start);
    });
  }
}

function busy(): ApiError {
  const detail = 'too many large uploads are under way: send it again in a while';
  return new ApiError('unavailable', { detail, retryAfterSeconds: 15 });
}
