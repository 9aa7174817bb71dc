import { Duplex } from 'node:stream';
import { Pool } from 'pg';
import type { DatabaseLine } from '../database.js';
import { typeParsers } from '../type-parsers.js';
import { type OfUser, toUser } from './worker-messages.js';

/** A `Worker` is one, and a `DatabaseLine`. */
type PostLine = Pick<DatabaseLine, 'postMessage' | 'ref' | 'unref'>;

/** The database thread as a thread that uses it sees it: its connections share one line for messages. */
export class DatabasePort implements Port {
  readonly #line: PostLine;
  readonly #sockets = new Map<number, PortSocket>();
  #lastConnection = 0;
  #failure: Error | null = null;
  #staysOpen = false;

  constructor(line: PostLine) {
    this.#line = line;
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
    if (this.#sockets.delete(connection)) this.#post({ kind: 'disconnect', connection });
  }

  ref(): void {
    this.#line.ref();
  }

  unref(): void {
    if (!this.#staysOpen) this.#line.unref();
  }

  /** From now on closed sockets do not let the process exit. */
  stayOpen(): void {
    this.#staysOpen = true;
    this.ref();
  }

  /** Bytes from the database. */
  receive(message: unknown): void {
    const { connection, bytes } = toUser.parse(message);
    this.#sockets.get(connection)?.receive(bytes);
  }

  /** The database has stopped: what waits for it fails, and nothing new begins. */
  fail(reason: string): void {
    this.#failure = new Error(`The embedded database has stopped: ${reason}. Start the service again to open it.`);
    const sockets = [...this.#sockets.values()];
    this.#sockets.clear();
    for (const socket of sockets) socket.destroy(this.#failure);
  }

  #post(message: OfUser, transfer: ArrayBuffer[] = []): void {
    this.#line.postMessage(message, transfer);
  }
}

/** A pool with one connection to the database thread. */
export function poolOf(port: DatabasePort): Pool {
  const pool = new Pool({
    stream: () => new PortSocket(port),
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
  // When the database's thread ends, its sockets have failed all waiting queries already. The pool drops the connection.
  pool.on('error', () => {});
  return pool;
}

/** A pool for a thread or process that was given a line by `EmbeddedPostgres.attach`. */
export function attachedPool(line: DatabaseLine): Pool {
  const port = new DatabasePort(line);
  line.on('message', (message: unknown) => port.receive(message));
  line.on('close', () => port.fail('its thread has ended'));
  return poolOf(port);
}

/** A `PortSocket` sends its bytes here. */
export interface Port {
  /** Why no new connection is possible; null while it is. */
  readonly failure: Error | null;
  open(socket: PortSocket): number;
  send(connection: number, bytes: Uint8Array<ArrayBuffer>): void;
  forget(connection: number): void;
  ref(): void;
  unref(): void;
}

/** Has the interface of a TCP socket, which `pg` expects, and carries the bytes to the database's worker thread. */
export class PortSocket extends Duplex {
  readonly #port: Port;
  #connection: number | null = null;

  constructor(port: Port) {
    super();
    this.#port = port;
  }

  connect(): this {
    const { failure } = this.#port;
    if (failure !== null) {
      this.destroy(failure);
      return this;
    }
    this.#connection = this.#port.open(this);
    this.ref();
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** Bytes from the database. */
  receive(bytes: Uint8Array): void {
    this.push(bytes);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#port.ref();
    return this;
  }

  unref(): this {
    this.#port.unref();
    return this;
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // A copy, because sending transfers the buffer to the other thread, and `pg` may reuse its own.
    if (this.#connection !== null) this.#port.send(this.#connection, new Uint8Array(chunk));
    done();
  }

  override _writev(chunks: { chunk: Uint8Array }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'binary', done);
  }

  override _final(done: (error?: Error | null) => void): void {
    done();
    this.push(null);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#connection !== null) this.#port.forget(this.#connection);
    this.unref();
    done(error);
  }
}
