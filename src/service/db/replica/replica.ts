import type { Pool } from 'pg';
import { type Repeated, repeat } from '../../jobs/repeat.js';
import type { ReplicaReport } from '../database.js';
import { maxConnections, openPostgresForChecks, openReplicaPool, usualCheckMs } from '../postgres.js';
import type { PoolKnowledge } from '../prepared-statements.js';
import { type TransactionTurns, turnsOfPool } from '../transaction-turns.js';
import { Freshness } from './freshness.js';
import { type Fault, forgetForeignPositions, inspectPrimary, inspectReplica } from './inspect-replica.js';
import { position } from './position.js';

/** How old what a read shows may be, and how often that is looked at, in milliseconds. */
const usualMaxLagMs = 2_000;
const checkEveryMs = 250;

/** `used`: it answers reads. `behind`: what it shows is too old, or it is not known how old. */
export type ReplicaState = 'used' | 'behind' | Fault;

export interface ReplicaLocation {
  readonly url: string;
  /** Called when the state has changed, with a sentence that says why it is not `used`. */
  readonly onChange: (state: ReplicaState, reason: string | null) => void;
  /** By default 2,000. */
  readonly maxLagMs?: number;
  /** How long it may take to answer a check, or to take a connection, before it counts as away. By default 3,000. */
  readonly checkMs?: number;
}

/** Where a session takes its connection, and in whose turn. */
export interface Source {
  readonly pool: Pick<Pool, 'connect'>;
  readonly turns: TransactionTurns;
  readonly knowledge: PoolKnowledge;
}

/**
 * A streaming standby that answers reads where a caller may see what was there a moment ago. It is asked only while it is known to be
 * no later than `maxLagMs`, and to show all that the organisation has written. Whatever goes wrong with it, the primary is asked.
 */
export class Replica {
  readonly #onChange: ReplicaLocation['onChange'];
  readonly #maxLagMs: number;
  readonly #freshness: Freshness;
  readonly #primary: Pool;
  readonly #checked: Pool;
  readonly #reads: ReturnType<typeof openReplicaPool>;
  readonly #source: Source;
  readonly #counts = { replica: 0, primary: 0, failed: 0 };
  #repeated: Repeated | undefined;
  #state: ReplicaState | undefined;
  #pausedUntilMs = 0;

  private constructor(location: ReplicaLocation, databaseUrl: string) {
    const { url, onChange, maxLagMs = usualMaxLagMs, checkMs = usualCheckMs } = location;
    this.#onChange = onChange;
    this.#maxLagMs = maxLagMs;
    this.#freshness = new Freshness(maxLagMs);
    this.#primary = openPostgresForChecks(databaseUrl, 'DATABASE_URL', checkMs);
    this.#checked = openPostgresForChecks(url, 'READ_DATABASE_URL', checkMs);
    this.#reads = openReplicaPool(url, checkMs);
    const turns = this.#whileUsed(turnsOfPool(maxConnections));
    this.#source = { pool: this.#reads.pool, turns, knowledge: { keepsNames: true } };
  }

  /** Also where the replica does not answer. Throws where it is another database than the primary. */
  static async open(location: ReplicaLocation, databaseUrl: string): Promise<Replica> {
    const replica = new Replica(location, databaseUrl);
    try {
      const refused = await replica.#check();
      if (replica.#state === 'other database') throw new Error(refused ?? replica.#state);
      await forgetForeignPositions(replica.#primary);
    } catch (error) {
      await replica.close();
      throw error;
    }
    // The primary does not answer: then nothing is known of the replica, and in a while it is not used any more.
    replica.#repeated = repeat(
      checkEveryMs,
      () => replica.#check(),
      () => {},
    );
    return replica;
  }

  /**
   * The answer to a read, or null where the primary must be asked: always where `lastWrite` is absent (`ReadOptions`), and where anything
   * fails. So an error, a "not found" among them, is never the replica's word.
   */
  async answer<T>(
    lastWrite: string | null | undefined,
    ask: (source: Source) => Promise<T>,
  ): Promise<{ readonly answer: T } | null> {
    if (lastWrite === undefined || !this.#isUsed() || !this.#shows(lastWrite)) {
      this.#counts.primary += 1;
      return null;
    }
    try {
      const answer = await ask(this.#source);
      this.#counts.replica += 1;
      return { answer };
    } catch {
      this.#counts.failed += 1;
      return null;
    }
  }

  /** A write could not be noted, so it is not known what the replica must show: it is not asked for as long as it may be late. */
  pause(): void {
    this.#pausedUntilMs = performance.now() + this.#maxLagMs;
  }

  report(): ReplicaReport {
    const lagMs = this.#freshness.lagAt(performance.now());
    return { isUsed: this.#isUsed(), lagMs, reads: { ...this.#counts } };
  }

  async close(): Promise<void> {
    await this.#repeated?.stop();
    this.#reads.breakOff();
    await Promise.all([this.#reads.pool.end(), this.#checked.end(), this.#primary.end()]);
  }

  #isUsed(): boolean {
    const now = performance.now();
    return this.#state === 'used' && this.#freshness.lagAt(now) <= this.#maxLagMs && now >= this.#pausedUntilMs;
  }

  #shows(lastWrite: string | null): boolean {
    return lastWrite === null || this.#freshness.shows(position.parse(lastWrite));
  }

  /** What has waited for its turn while the replica went away does not try to reach it. */
  #whileUsed(turns: TransactionTurns): TransactionTurns {
    const acquire: TransactionTurns['acquire'] = async (lane, wait) => {
      const end = await turns.acquire(lane, wait);
      if (this.#isUsed()) return end;
      end();
      throw new Error('the replica is not used any more');
    };
    return {
      acquire,
      get load() {
        return turns.load;
      },
    };
  }

  /** Answers why the replica is not used; null where it is. */
  async #check(): Promise<string | null> {
    const askedAtMs = performance.now();
    const primary = await inspectPrimary(this.#primary);
    this.#freshness.primaryWasAt(primary.position, askedAtMs);
    const found = await inspectReplica(this.#checked, primary);
    if (found.fault !== null) {
      this.#freshness.forget();
      // Reads that wait for its answers end here, and go to the primary.
      this.#reads.breakOff();
      return this.#enter(found.fault, found.reason);
    }
    this.#freshness.replicaIsAt(found.position);
    if (this.#freshness.lagAt(performance.now()) <= this.#maxLagMs) return this.#enter('used', null);
    return this.#enter('behind', `the replica of READ_DATABASE_URL is more than ${this.#maxLagMs} ms behind`);
  }

  #enter(state: ReplicaState, reason: string | null): string | null {
    if (state !== this.#state) this.#onChange(state, reason);
    this.#state = state;
    return reason;
  }
}
