/** One connection to the engine, as the turns see it. */
export interface TurnTaker {
  /** Whether something of it waits to be run. */
  readonly isWaiting: boolean;
  /** Runs what waits first. Answers whether the connection is then between two transactions. */
  step(): Promise<boolean>;
}

/** How much less time than others a connection may have had, in milliseconds: what it may catch up on. */
const maxCreditMs = 200;

/** How long one that has had less time is waited for after a transaction: its next one may be on its way. */
const graceMs = 4;

/** What a connection has had of the engine. */
interface Share {
  /** Milliseconds. */
  used: number;
  /** When its last transaction ended. */
  endedAt: number;
}

/**
 * Gives the one engine to several connections, a whole transaction at a time. The one that has had the least time is next: one
 * with long transactions leaves another as much time for its short ones, not one of these for each of its own.
 */
export class Turns<Connection extends TurnTaker> {
  readonly #shares = new Map<Connection, Share>();
  #holder: Connection | null = null;
  #heldSince = 0;
  #isRunning = false;
  #isStopped = false;
  #grace: NodeJS.Timeout | undefined;
  #step: Promise<unknown> = Promise.resolve();

  join(connection: Connection): void {
    const used = Math.max(0, ...[...this.#shares.values()].map((each) => each.used));
    this.#shares.set(connection, { used, endedAt: 0 });
  }

  /** Removes a connection. The caller has ended its transaction. */
  leave(connection: Connection): void {
    this.#shares.delete(connection);
    if (this.#holder === connection) this.#holder = null;
  }

  /** Runs what waits, until nothing does that may. Returns at once where that is under way. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.#holder === null) this.#heldSince = performance.now();
      const step = next.step();
      this.#step = step.catch(() => {});
      const isBetween = await step;
      const share = this.#shares.get(next);
      // It may have left meanwhile.
      if (share === undefined) continue;
      this.#holder = isBetween ? null : next;
      if (isBetween) this.#account(share);
    }
    this.#isRunning = false;
  }

  /** Lets the step under way end; nothing else is run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#grace);
    await this.#step;
  }

  #account(share: Share): void {
    share.endedAt = performance.now();
    share.used += share.endedAt - this.#heldSince;
    for (const each of this.#shares.values()) each.used = Math.max(each.used, share.used - maxCreditMs);
  }

  #next(): Connection | undefined {
    if (this.#isStopped) return undefined;
    if (this.#holder !== null) return this.#holder.isWaiting ? this.#holder : undefined;
    const waiting = [...this.#shares].filter(([{ isWaiting }]) => isWaiting);
    const [first, ...others] = waiting;
    if (first === undefined) return undefined;
    const [next, { used }] = others.reduce((least, each) => (each[1].used < least[1].used ? each : least), first);
    return this.#isAwaited(used) ? undefined : next;
  }

  /** Whether one that has had less time has just ended a transaction. */
  #isAwaited(used: number): boolean {
    const since = performance.now() - graceMs;
    const isNear = [...this.#shares].some(
      ([{ isWaiting }, each]) => !isWaiting && each.used < used && each.endedAt > since,
    );
    clearTimeout(this.#grace);
    if (isNear) this.#grace = setTimeout(() => this.run(), graceMs);
    return isNear;
  }
}
