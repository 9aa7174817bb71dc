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
import { HeldClient } from './held-client.js';

/** Kysely over a pool of `pg`, for migrations: what requests run goes through a `Session`. */
export function poolDialect(pool: Pool): Dialect {
  return {
    createDriver: () => new PoolDriver(pool),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
}

/** Unlike Kysely's it survives a lost connection. */
class PoolDriver implements Driver {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.connect());
  }

  beginTransaction(connection: PooledConnection): Promise<void> {
    return connection.run('begin');
  }

  commitTransaction(connection: PooledConnection): Promise<void> {
    return connection.run('commit');
  }

  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    try {
      await connection.run('rollback');
    } catch (error) {
      connection.drop(error);
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
  readonly #held: HeldClient;

  constructor(client: PoolClient) {
    this.#held = new HeldClient(client);
  }

  /** Without parameters several statements may be given, as migrations do. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#held.client.query<Record<string, unknown> & R>(query.sql, [
      ...query.parameters,
    ]);
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
    return changes ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows: rows ?? [] };
  }

  // biome-ignore lint/correctness/useYield: Kysely requires the method; nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: read in pages by key.');
  }

  async run(statement: string): Promise<void> {
    await this.#held.client.query(statement);
  }

  drop(error: unknown): void {
    this.#held.drop(error);
  }

  release(): void {
    this.#held.release();
  }
}
