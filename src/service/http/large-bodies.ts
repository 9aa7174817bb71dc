import { ApiError } from './api-error.js';

interface Limits {
  /** Large bodies in memory. */
  readonly atOnce: number;
  readonly waiting: number;
  readonly longestWaitMs: number;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * Lets a few requests with large bodies in, from before their body is read until they are answered: each may take some
 * hundred megabytes. Others wait, their bodies still at their senders'; who would wait too long, or behind too many, is told to come
 * again (503 with Retry-After).
 */
export class LargeBodies {
  readonly #limits: Limits;
  readonly #waiting = new Set<Waiting>();
  #inside = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Does the work when its turn has come; `gone` is for a sender who waits no longer. */
  async inTurn<T>(gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#inside < this.#limits.atOnce) this.#inside += 1;
    else await this.#turn(gone);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      // Whoever waits takes over the place.
      if (next === undefined) this.#inside -= 1;
      else next.begin();
    }
  }

  #turn(gone: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#limits.waiting) throw tooMany();
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        leave();
        reject(tooMany());
      };
      const waiting = {
        begin: () => {
          leave();
          resolve();
        },
      };
      const timer = setTimeout(giveUp, this.#limits.longestWaitMs);
      gone.addEventListener('abort', giveUp);
      this.#waiting.add(waiting);
    });
  }
}

function tooMany(): ApiError {
  const detail = 'too many large uploads are under way: send it again in a while';
  return new ApiError('unavailable', { detail, retryAfterSeconds: 15 });
}
