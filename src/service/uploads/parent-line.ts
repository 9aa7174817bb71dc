import { EventEmitter } from 'node:events';
import type { DatabaseLine } from '../db/database.js';
import { type OfUser, ofUser, type ToUser } from '../db/embedded/worker-messages.js';

/** The line of an upload's process to the embedded database: through the process that has opened it. */
export class ParentLine extends EventEmitter implements DatabaseLine {
  readonly #send: (message: OfUser) => void;

  constructor(send: (message: OfUser) => void) {
    super();
    this.#send = send;
  }

  postMessage(message: unknown): void {
    this.#send(ofUser.parse(message));
  }

  /** A message of the database. */
  receive(message: ToUser): void {
    this.emit('message', message);
  }

  close(): void {
    this.emit('close');
  }

  /** The process lives as long as the other one, whatever this line waits for. */
  ref(): void {}

  unref(): void {}
}
