import { FairQueue } from '../../../shared/limits/fair-queue.js';

/**
 * Gives the one engine to several connections, a whole transaction at a time. A connection with much to do waits for at most one
 * transaction of each other one.
 */
export class Engine {
  readonly #queue = new FairQueue({ name: 'transactions', maxRunning: 1, shares: 'pieces' });
  #isStopped = false;
  #connections = 0;
  #step: Promise<unknown> = Promise.resolve();

  /** A connection's turns at the engine, under a key of its own. */
  connect(): () => Promise<() => void> {
    this.#connections += 1;
    const key = String(this.#connections);
    return () => this.#queue.acquire(key);
  }

  /** Runs one step of a transaction. Undefined where the engine is stopped: then it is not run. */
  async run<Result>(step: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#isStopped) return undefined;
    const running = step();
    this.#step = running.catch(() => {});
    return running;
  }

  /** Lets the step under way end; nothing else is run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#step;
  }
}
