/** One connection to the engine, as the turns see it. */
export interface TurnTaker {
  /** Whether something of it waits to be run. */
  readonly isWaiting: boolean;
  /** Runs what waits first. Answers whether the connection is then between two transactions. */
  step(): Promise<boolean>;
}

/**
 * Gives the one engine to several connections, a whole transaction at a time. Between two transactions the others are asked
 * first, so a connection with much to do waits for at most one transaction of each other one.
 */
export class Turns<Connection extends TurnTaker> {
  /** The one that had its turn last is the last. */
  #line: Connection[] = [];
  #holder: Connection | null = null;
  #isRunning = false;
  #isStopped = false;
  #step: Promise<unknown> = Promise.resolve();

  join(connection: Connection): void {
    this.#line.push(connection);
  }

  /** Removes a connection. The caller has ended its transaction. */
  leave(connection: Connection): void {
    this.#line = this.#line.filter((each) => each !== connection);
    if (this.#holder === connection) this.#holder = null;
  }

  /** Runs what waits, until nothing does that may. Returns at once where that is under way. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const step = next.step();
      this.#step = step.catch(() => {});
      const isBetween = await step;
      // It may have left meanwhile.
      if (!this.#line.includes(next)) continue;
      this.#holder = isBetween ? null : next;
      if (isBetween) this.#line = [...this.#line.filter((each) => each !== next), next];
    }
    this.#isRunning = false;
  }

  /** Lets the step under way end; nothing else is run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#step;
  }

  #next(): Connection | undefined {
    if (this.#isStopped) return undefined;
    if (this.#holder !== null) return this.#holder.isWaiting ? this.#holder : undefined;
    return this.#line.find(({ isWaiting }) => isWaiting);
  }
}
