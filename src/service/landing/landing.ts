import { setTimeout } from 'node:timers/promises';
import type { Database, Tenant, Transaction } from '../db/database.js';
import { ProjectOccupied } from '../db/project-occupied.js';
import { ApiError, notFound } from '../http/api-error.js';
import { enterQueue, type LandingProject, landSet, leaseMs, renewSet, takeTurn } from './change-set.js';
import { undoSet } from './undo-set.js';

/**
 * Changes of one project that are written in many short transactions and become visible in one moment. Until then nobody
 * else sees any of them, and afterwards everybody sees all. A landing that fails leaves nothing.
 */
export interface Landing<Answer> {
  /**
   * One short transaction. It sees what the landing has written. May run again after a deadlock. After `finish` it is an
   * ordinary transaction, for what follows from the landing.
   */
  step<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The last one: with its commit everything becomes visible. What belongs to the whole is written in it: the job, the audit
   * row, events. Without steps before it, it is an ordinary transaction.
   */
  finish(work: (tx: Transaction) => Promise<Answer>): Promise<Answer>;
}

const heartbeatMs = leaseMs / 4;

/** How long a landing waits for its turn, and how often it looks. */
const maxWaitMs = 60_000;
const lookEveryMs = 50;

/** A landing over a change set (record 22), which its first step opens. `close` it, whatever happens. */
export class ChangeSetLanding<Answer> implements Landing<Answer> {
  readonly #database: Database;
  readonly #project: LandingProject;
  readonly #tenant: string | Tenant;
  #set: number | undefined;
  #landed = false;
  #heartbeat: NodeJS.Timeout | undefined;
  #beating: Promise<unknown> | undefined;

  /** @param tenant whose it is, where not the whole organisation's */
  constructor(database: Database, project: LandingProject, tenant: string | Tenant = project.organisationId) {
    this.#database = database;
    this.#project = project;
    this.#tenant = tenant;
  }

  async step<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#landed) return this.#database.tenant(this.#project.organisationId, work);
    return this.#within(this.#set ?? (await this.#open()), work);
  }

  async finish(work: (tx: Transaction) => Promise<Answer>): Promise<Answer> {
    const set = this.#set;
    const { organisationId } = this.#project;
    if (set === undefined) return this.#database.tenant(this.#tenant, work);
    const answer = await this.#within(set, async (tx) => {
      const made = await work(tx);
      await landSet(tx, organisationId, set);
      return made;
    });
    this.#landed = true;
    return answer;
  }

  /** Undoes what has not landed. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#beating;
    if (this.#set === undefined || this.#landed) return;
    await undoSet(this.#database, { organisationId: this.#project.organisationId, id: this.#set });
  }

  #within<T>(set: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { organisationId } = this.#project;
    return this.#database.tenant(
      this.#tenant,
      async (tx) => {
        if (!(await renewSet(tx, organisationId, set))) throw landingLost();
        return work(tx);
      },
      { changeSet: set },
    );
  }

  async #open(): Promise<number> {
    const { organisationId } = this.#project;
    const set = await this.#database.tenant(organisationId, (tx) => enterQueue(tx, this.#project));
    if (set === undefined) throw notFound('project');
    this.#set = set;
    this.#heartbeat = setInterval(() => this.#beat(set), heartbeatMs).unref();
    const waitUntil = performance.now() + maxWaitMs;
    for (;;) {
      const turn = await this.#database.tenant(organisationId, (tx) => takeTurn(tx, this.#project, set));
      if (turn === 'open') return set;
      if (turn === 'lost') throw landingLost();
      if (turn !== 'wait') await undoSet(this.#database, { organisationId, id: turn.abandoned });
      else if (performance.now() > waitUntil) throw new ProjectOccupied();
      else await setTimeout(lookEveryMs);
    }
  }

  /** A failure shows at the next step. */
  #beat(set: number): void {
    const { organisationId } = this.#project;
    this.#beating = this.#database.tenant(organisationId, (tx) => renewSet(tx, organisationId, set)).catch(() => {});
  }
}

/** The project was deleted, or the process stood still for so long that another has undone the landing. */
function landingLost(): ApiError {
  const detail = 'the upload was interrupted, and nothing of it was kept: send it again';
  return new ApiError('unavailable', { detail, retryAfterSeconds: 1 });
}
