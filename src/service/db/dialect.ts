import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { currentOpening } from './transactions.js';

/** Kysely over a pool of `pg`, with our `PoolDriver` in place of Kysely's driver. */
export function poolDialect(pool: Pool): Dialect {
  return {
    createDriver: () => new PoolDriver(pool),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
}

/** Unlike Kysely's: sets the tenant when it begins, detects a COMMIT that rolled back, survives a lost connection. */
class PoolDriver implements Driver {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.connect());
  }

  async beginTransaction(connection: PooledConnection): Promise<void> {
    try {
      await connection.run(currentOpening());
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  /** After a failed statement, even if its error was caught, PostgreSQL answers COMMIT with ROLLBACK and no error. */
  async commitTransaction(connection: PooledConnection): Promise<void> {
    const command = await connection.run('commit');
    if (command !== 'COMMIT') throw new Error('Nothing was saved: a statement of this transaction had failed.');
  }

  /** Never throws, because the caller has a more useful error to report. The connection is then closed. */
  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    try {
      await connection.run('rollback');
    } catch (error) {
      connection.broken = error instanceof Error ? error : new Error(String(error));
    }
  }

  async releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class PooledConnection implements DatabaseConnection {
  broken: Error | undefined;
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
    client.on('error', this.#onError);
  }

  /** A lost connection also emits an `error` event while in use. Without a listener it would end the process. */
  readonly #onError = (error: Error): void => {
    this.broken = error;
  };

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#client.query<Record<string, unknown> & R>(query.sql, [
      ...query.parameters,
    ]);
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
    return changes ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows: rows ?? [] };
  }

  // biome-ignore lint/correctness/useYield: Kysely requires the method; nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: read in pages by key.');
  }

  /** Runs statements without parameters. Returns the command of the last one. */
  async run(statements: string): Promise<string | undefined> {
    const { command } = await this.#client.query(statements);
    return command;
  }

  release(): void {
    this.#client.off('error', this.#onError);
    this.#client.release(this.broken);
  }
}
