import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Pool } from 'pg';
import { DatabasePort, poolOf } from './database-port.js';
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
  /**
   * A port by which another thread reaches the database (`attachedPool`). Its transactions alternate with the pool's. Throws
   * where the database has stopped.
   */
  attach(): MessagePort;
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
  return { pool: poolOf(thread.port), attach: () => thread.attach(), close: () => thread.close() };
}

class DatabaseThread {
  readonly ready: Promise<void>;
  readonly port: DatabasePort;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #closing = false;

  constructor(folder: string, workerUrl: URL) {
    const workerData: WorkerData = { folder };
    this.#worker = new Worker(workerUrl, { workerData });
    this.port = new DatabasePort(this.#worker);
    let broken: string | null = null;
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: unknown) => {
        const received = fromWorker.parse(message);
        if (received.kind === 'bytes') this.port.receive(received);
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
        this.port.fail(this.#closing ? 'it is closed' : reason);
      });
    });
    this.#exited = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
  }

  attach(): MessagePort {
    if (this.port.failure !== null) throw this.port.failure;
    const { port1, port2 } = new MessageChannel();
    const message: ToWorker = { kind: 'attach', port: port1 };
    this.#worker.postMessage(message, [port1]);
    return port2;
  }

  async close(): Promise<void> {
    if (this.port.failure !== null) return;
    this.#closing = true;
    // A pool's `end` returns before its sockets are closed. They must not let the process exit before the database
    // closes.
    this.port.stayOpen();
    const message: ToWorker = { kind: 'close' };
    this.#worker.postMessage(message);
    await this.#exited;
  }
}
