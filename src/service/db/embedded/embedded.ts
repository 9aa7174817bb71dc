import { Worker } from 'node:worker_threads';
import { Pool } from 'pg';
import { typeParsers } from '../type-parsers.js';
import { type Port, PortSocket } from './port-socket.js';
import { fromWorker, type ToWorker, type WorkerData } from './worker-messages.js';

/**
 * The worker is built into the same folder as this module. Tests run TypeScript directly and take it from dist/,
 * because a worker thread does not inherit the loader of its parent.
 */
const builtWorker = import.meta.url.endsWith('.ts')
  ? new URL('../../../../dist/database-worker.js', import.meta.url)
  : new URL('./database-worker.js', import.meta.url);

/** A PostgreSQL in this process and a pool with its one connection. End the pool before `close`. */
export interface EmbeddedPostgres {
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Opens the database in `folder`, or creates one there. The caller holds the folder's lock. */
export async function openEmbedded(folder: string, workerUrl: URL = builtWorker): Promise<EmbeddedPostgres> {
  const thread = new DatabaseThread(folder, workerUrl);
  try {
    await thread.ready;
  } catch (error) {
    throw new Error(
      `Cannot open the embedded database in ${folder}: ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    );
  }
  const pool = new Pool({
    stream: () => new PortSocket(thread),
    user: 'postgres',
    database: 'postgres',
    // Explicit, so that PGSSLMODE in the environment has no effect.
    ssl: false,
    application_name: 'postern',
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
    types: typeParsers,
  });
  // When the thread ends, its sockets have failed all waiting queries already. The pool drops the connection.
  pool.on('error', () => {});
  return { pool, close: () => thread.close() };
}

class DatabaseThread implements Port {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #sockets = new Map<number, PortSocket>();
  #lastConnection = 0;
  #failure: Error | null = null;
  #closing = false;

  constructor(folder: string, workerUrl: URL) {
    const workerData: WorkerData = { folder };
    this.#worker = new Worker(workerUrl, { workerData });
    let broken: string | null = null;
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: unknown) => {
        const received = fromWorker.parse(message);
        if (received.kind === 'bytes') this.#sockets.get(received.connection)?.receive(received.bytes);
        else if (received.kind === 'broken') broken = received.message;
        else {
          this.#worker.unref();
          resolve();
        }
      });
      this.#worker.on('error', (error) => {
        broken ??= error.message;
      });
      this.#worker.once('exit', (code) => {
        const reason = broken ?? `its thread ended with code ${code}`;
        reject(new Error(reason));
        this.#end(this.#closing ? 'it is closed' : reason);
      });
    });
    this.#exited = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
  }

  get failure(): Error | null {
    return this.#failure;
  }

  open(socket: PortSocket): number {
    this.#lastConnection += 1;
    this.#sockets.set(this.#lastConnection, socket);
    this.#post({ kind: 'connect', connection: this.#lastConnection });
    return this.#lastConnection;
  }

  send(connection: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#post({ kind: 'bytes', connection, bytes }, [bytes.buffer]);
  }

  forget(connection: number): void {
    this.#sockets.delete(connection);
  }

  ref(): void {
    this.#worker.ref();
  }

  unref(): void {
    // A pool's `end` returns before its sockets are closed. They must not let the process exit before the database
    // closes.
    if (!this.#closing) this.#worker.unref();
  }

  async close(): Promise<void> {
    if (this.#failure !== null) return;
    this.#closing = true;
    this.ref();
    this.#post({ kind: 'close' });
    await this.#exited;
  }

  #post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #end(reason: string): void {
    this.#failure = new Error(`The embedded database has stopped: ${reason}. Start the service again to open it.`);
    for (const socket of this.#sockets.values()) socket.destroy(this.#failure);
    this.#sockets.clear();
  }
}
