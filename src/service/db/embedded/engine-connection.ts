import type { MessagePort } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { FrontendStream } from './frontend-messages.js';
import type { TurnTaker } from './turns.js';
import type { ToUser } from './worker-messages.js';

/** The protocol's Sync message: ends an extended query that a client began but did not finish. */
const sync = Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4);
/** Answers are sent in pieces of about this many bytes. */
const pieceSize = 256 * 1024;

type Step = { readonly kind: 'startup' | 'messages'; readonly bytes: Uint8Array } | { readonly kind: 'terminate' };

/**
 * One connection to the engine. All share its one session, so settings and prepared statements must not outlive a
 * transaction; what a connection leaves behind is cleared when the next one begins or ends.
 */
export class EngineConnection implements TurnTaker {
  readonly #database: PGlite;
  readonly #port: MessagePort;
  readonly #id: number;
  readonly #onEnd: () => void;
  readonly #stream = new FrontendStream();
  #steps: Step[] = [];

  /** @param onEnd is called in its own turn, when its transaction has been rolled back */
  constructor(database: PGlite, port: MessagePort, id: number, onEnd: () => void) {
    this.#database = database;
    this.#port = port;
    this.#id = id;
    this.#onEnd = onEnd;
  }

  get isWaiting(): boolean {
    return this.#steps.length > 0;
  }

  receive(bytes: Uint8Array): void {
    this.#steps.push(...this.#stream.push(bytes));
  }

  /** Forgets what has not been run. */
  end(): void {
    this.#steps = [{ kind: 'terminate' }];
  }

  async step(): Promise<boolean> {
    const step = this.#steps.shift();
    if (step === undefined) return !this.#database.isInTransaction();
    if (step.kind !== 'messages') await this.#resetSession();
    if (step.kind === 'terminate') {
      this.#onEnd();
      return true;
    }
    await this.#exchange(step.bytes);
    return !this.#database.isInTransaction() && (step.kind === 'startup' || isComplete(step.bytes));
  }

  async #resetSession(): Promise<void> {
    await this.#database.execProtocolRawStream(sync, { syncToFs: false, onRawData() {} });
    if (this.#database.isInTransaction()) await this.#database.exec('rollback');
    await this.#database.exec('discard all');
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

const [queryType, syncType] = Buffer.from('QS');

/** Whether the last of whole messages is one that the engine answers with ReadyForQuery: a simple query or Sync. */
function isComplete(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let last = 0;
  for (let at = 0; at < view.length; at += 1 + view.readInt32BE(at + 1)) last = at;
  return view[last] === queryType || view[last] === syncType;
}
