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

/** Kysely over a pool of `pg`, with a driver of its own for what Kysely's does not do: see `PoolDriver`. */
export function poolDialect(pool: Pool): Dialect {
  return {
    createDriver: () => new PoolDriver(pool),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
}

/** Begins a transaction together with its tenant, knows a COMMIT that was none, and outlives a connection's death. */
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

  /** PostgreSQL answers COMMIT after a failed statement with ROLLBACK and no error, also where the failure was caught. */
  async commitTransaction(connection: PooledConnection): Promise<void> {
    const command = await connection.run('commit');
    if (command !== 'COMMIT') throw new Error('Nothing was saved: a statement of this transaction had failed.');
  }

  /** Never throws: whoever rolls back has a better error to report. The connection is not used again. */
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

  /** A connection that dies while it is lent also emits an error, which ends the process where nobody listens. */
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

  // biome-ignore lint/correctness/useYield: Kysely asks for it; nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: read in pages by key.');
  }

  /** Runs statements without parameters; answers the last one's command. */
  async run(statements: string): Promise<string | undefined> {
    const { command } = await this.#client.query(statements);
    return command;
  }

  release(): void {
    this.#client.off('error', this.#onError);
    this.#client.release(this.broken);
  }
}
