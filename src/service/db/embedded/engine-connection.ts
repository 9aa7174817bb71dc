import type { MessagePort } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import type { Engine } from './engine.js';
import { FrontendStream } from './frontend-messages.js';
import { closeMessages, readMessages } from './statement-messages.js';
import type { ToUser } from './worker-messages.js';

/** Answers are sent in pieces of about this many bytes. */
const pieceSize = 256 * 1024;

type Step = { readonly kind: 'startup' | 'messages'; readonly bytes: Uint8Array } | { readonly kind: 'terminate' };

/** What a new connection finds as a new session would. Prepared statements and their plans stay: others use them. */
const clear = `close all; set session authorization default; reset all; unlisten *; select pg_advisory_unlock_all();
  discard temp; discard sequences`;

/**
 * One connection to the engine. All share its one session, so settings must not outlive a transaction; what a connection
 * leaves behind is cleared when the next one begins or ends. The statements that it has prepared end with it.
 */
export class EngineConnection {
  readonly #database: PGlite;
  readonly #engine: Engine;
  readonly #takeTurn: () => Promise<() => void>;
  readonly #port: MessagePort;
  readonly #id: number;
  readonly #stream = new FrontendStream();
  readonly #prepared = new Set<string>();
  #steps: Step[] = [];
  #endTurn: (() => void) | undefined;
  #isWorking = false;

  constructor(database: PGlite, engine: Engine, port: MessagePort, id: number) {
    this.#database = database;
    this.#engine = engine;
    this.#takeTurn = engine.connect();
    this.#port = port;
    this.#id = id;
  }

  /** Runs what it has received, as soon as no other connection is in a transaction. */
  receive(bytes: Uint8Array): Promise<void> {
    this.#steps.push(...this.#stream.push(bytes));
    return this.#work();
  }

  /** Rolls its transaction back, and forgets what has not been run. */
  end(): Promise<void> {
    this.#steps = [{ kind: 'terminate' }];
    return this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    while (this.#steps.length > 0) {
      this.#endTurn ??= await this.#takeTurn();
      const isBetween = await this.#engine.run(() => this.#step());
      if (isBetween === undefined) return;
      if (!isBetween) continue;
      this.#endTurn();
      this.#endTurn = undefined;
    }
    this.#isWorking = false;
  }

  /** Answers whether the connection is then between two transactions. */
  async #step(): Promise<boolean> {
    const step = this.#steps.shift();
    if (step === undefined) return !this.#database.isInTransaction();
    if (step.kind !== 'messages') await this.#resetSession();
    if (step.kind === 'terminate') return true;
    const read = step.kind === 'startup' ? { isComplete: true } : readMessages(step.bytes, this.#prepared);
    await this.#exchange(step.bytes);
    return !this.#database.isInTransaction() && read.isComplete;
  }

  async #resetSession(): Promise<void> {
    // The Sync also ends an extended query that a client began but did not finish.
    await this.#database.execProtocolRawStream(closeMessages(this.#prepared), { syncToFs: false, onRawData() {} });
    this.#prepared.clear();
    if (this.#database.isInTransaction()) await this.#database.exec('rollback');
    await this.#database.exec(clear);
  }

  /** Streams raw messages. PGlite's other calls would keep all messages of all answers in memory. */
  async #exchange(bytes: Uint8Array): Promise<void> {
    let pieces: Uint8Array[] = [];
    let size = 0;
    const send = () => {
      const piece = new Uint8Array(size);
      let offset = 0;
      for (const part of pieces) {
        piece.set(part, offset);
        offset += part.length;
      }
      const message: ToUser = { kind: 'bytes', connection: this.#id, bytes: piece };
      this.#port.postMessage(message, [piece.buffer]);
      pieces = [];
      size = 0;
    };
    await this.#database.execProtocolRawStream(bytes, {
      syncToFs: false,
      onRawData(data) {
        pieces.push(data.slice());
        size += data.length;
        if (size >= pieceSize) send();
      },
    });
    if (size > 0) send();
  }
}
