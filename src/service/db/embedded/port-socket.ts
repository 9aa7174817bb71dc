import { Duplex } from 'node:stream';

/** What a `PortSocket` sends its bytes to. */
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
