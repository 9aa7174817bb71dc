import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  Transaction as KyselyTransaction,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SingleConnectionProvider,
} from 'kysely';
import type { PoolClient } from 'pg';
import type { Transaction } from './database.js';
import { Exchange, ignoring, Query, type Statement, type StatementReader } from './exchange.js';
import { HeldClient, type PoolKnowledge, PreparedStatements } from './held-client.js';
import type { Schema } from './schema.js';

/**
 * What goes before the statements of a session, in the same message. `transaction`: before the first, and it begins one. `each`:
 * before all those that are asked at once, which with it are a transaction.
 */
export interface Opening {
  readonly kind: 'transaction' | 'each';
  readonly statements: readonly Statement[];
}

/**
 * A change of what decides who a known caller is and what it may do. Nothing else changes these tables: they have no triggers. An account
 * more can be one too many for a token that names no organisation. A new group may be in one in which somebody has a role.
 */
const changesCallers =
  /\b(?:(?:update|delete\s+from)\s+"?(?:api_keys|sessions|members|organisations|email_domains)|insert\s+into\s+"?members|(?:insert\s+into|update|delete\s+from)\s+"?(?:identities|issuers|group_members|project_groups))\b/i;

interface SessionOptions {
  readonly opening: Opening;
  /** Null where no statement is kept at the server. */
  readonly prepares: PoolKnowledge | null;
  /** Called when what decides about callers has changed. */
  readonly onCallersChange: () => void;
  /** Waits until the work may go on with an answer. */
  readonly nextTurn: () => Promise<void> | undefined;
}

/** A connection of the pool while work has it. */
export class Session implements DatabaseConnection {
  readonly #held: HeldClient;
  readonly #prepared: PreparedStatements | null;
  readonly #opening: Opening;
  readonly #onCallersChange: () => void;
  readonly #nextTurn: SessionOptions['nextTurn'];
  /** Of answers that have come at once. */
  #turn: Promise<void> | undefined;
  #changesCallers = false;
  #isBegun = false;
  #refused: Error | null = null;
  readonly #waiting: StatementReader[] = [];
  #isSending = false;
  #isOver = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(client: PoolClient, { opening, prepares, onCallersChange, nextTurn }: SessionOptions) {
    this.#held = new HeldClient(client);
    this.#opening = opening;
    this.#onCallersChange = onCallersChange;
    this.#nextTurn = nextTurn;
    this.#prepared = prepares === null ? null : preparedOf(client, prepares);
  }

  get isTransaction(): boolean {
    return this.#opening.kind === 'transaction';
  }

  async executeQuery<R>({ sql: text, parameters: values }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOver) throw new Error(isOver);
    // A statement outside of a transaction writes when a caller was there last, and no more.
    if (this.isTransaction) this.#changesCallers ||= changesCallers.test(text);
    const query = new Query<R>({ text, values });
    if (this.#opening.kind === 'each') this.#sendSoon(query);
    else this.#sendWithin(query);
    const { command, rowCount, rows } = await query.answer;
    await (this.#turn ?? this.#takeTurn());
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
    return changes ? { rows, numAffectedRows: BigInt(rowCount) } : { rows };
  }

  #takeTurn(): Promise<void> | undefined {
    this.#turn = this.#nextTurn()?.then(() => {
      this.#turn = undefined;
    });
    return this.#turn;
  }

  // biome-ignore lint/correctness/useYield: Kysely requires the method; nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: read in pages by key.');
  }

  /** After a failed statement, even if its error was caught, PostgreSQL answers COMMIT with ROLLBACK and no error. */
  async commit(): Promise<void> {
    this.#isOver = true;
    if (!this.#isBegun) return;
    const commit = new Query(commitStatement);
    this.#send([commit]);
    const { command } = await commit.answer;
    if (command !== 'COMMIT' || this.#refused !== null) {
      throw new Error('Nothing was saved: a statement of this transaction had failed.');
    }
  }

  /** Never throws, because the caller has a more useful error to report. The connection is then closed. */
  async rollback(): Promise<void> {
    this.#isOver = true;
    if (!this.#isBegun) return;
    const rollback = new Query(rollbackStatement);
    this.#send([rollback]);
    await rollback.answer.catch((error: unknown) => this.#held.drop(error));
  }

  /**
   * Gives the connection back, when nothing of this work is under way any more: a statement that came later would run in the
   * transaction of someone else. Callers may have changed also where the answer to COMMIT was lost.
   */
  async release(): Promise<void> {
    for (const query of this.#waiting.splice(0)) query.end(new Error(isOver));
    await this.#sent;
    if (this.#changesCallers) this.#onCallersChange();
    this.#held.release();
  }

  /** The first takes along what opens the transaction. Each is sent when the one before has its answer. */
  #sendWithin<R>(query: Query<R>): void {
    if (this.#refused !== null) throw this.#refused;
    const leading = this.#isBegun ? [] : this.#opening.statements.map(ignoring);
    this.#isBegun = true;
    this.#send([...leading, query]);
    if (leading.length === 0) return;
    query.answer.catch((error: unknown) => {
      // It may not have begun: what came next would run on its own, and as the owner of all rows.
      this.#refused = error instanceof Error ? error : new Error(String(error));
    });
  }

  /** What the work asks at once goes in one message. */
  #sendSoon(query: StatementReader): void {
    if (this.#waiting.push(query) === 1 && !this.#isSending) process.nextTick(() => this.#sendWaiting());
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0)
      await this.#send([...this.#opening.statements.map(ignoring), ...this.#waiting.splice(0)]);
    this.#isSending = false;
  }

  #send(asked: readonly StatementReader[]): Promise<void> {
    this.#sent = this.#held.client.query(new Exchange(asked, this.#prepared)).ended;
    return this.#sent;
  }
}

const isOver = 'A statement came after the end of its transaction.';

const commitStatement: Statement = { text: 'commit', values: [] };
const rollbackStatement: Statement = { text: 'rollback', values: [] };

const ofClients = new WeakMap<PoolClient, PreparedStatements>();

function preparedOf(client: PoolClient, pool: PoolKnowledge): PreparedStatements {
  const known = ofClients.get(client) ?? new PreparedStatements(pool);
  ofClients.set(client, known);
  return known;
}

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
const driver = new DummyDriver();
const dialect: Dialect = {
  createDriver: () => driver,
  createAdapter: () => adapter,
  createQueryCompiler: () => compiler,
  createIntrospector: (db) => new PostgresIntrospector(db),
};

/** Kysely over one session. */
export function queriesOf(session: Session): Transaction {
  const provider = session.isTransaction
    ? new SingleConnectionProvider(session)
    : { provideConnection: runWith(session) };
  const executor = new DefaultQueryExecutor(compiler, adapter, provider);
  return new KyselyTransaction<Schema>({ config: { dialect }, dialect, driver, executor });
}

function runWith(session: Session): ConnectionProvider['provideConnection'] {
  return (consumer) => consumer(session);
}
