import { Refusal } from '../../shared/limits/refusal.js';
import type { Lane, TransactionTurns } from '../db/transaction-turns.js';
import type { OfTurns, ToTurns } from './turn-messages.js';

/** Turns of the process that has opened the database, as an upload's process takes them. */
export class ParentTurns implements TransactionTurns {
  readonly #send: (message: OfTurns) => void;
  readonly #asked = new Map<number, { readonly begin: () => void; readonly refuse: (refusal: Refusal) => void }>();
  #last = 0;
  #running = 0;

  constructor(send: (message: OfTurns) => void) {
    this.#send = send;
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#asked.size };
  }

  async acquire(lane: Lane, { maxWaitMs = Number.POSITIVE_INFINITY }: { readonly maxWaitMs?: number }) {
    this.#last += 1;
    const turn = this.#last;
    await new Promise<void>((begin, refuse) => {
      this.#asked.set(turn, { begin, refuse });
      this.#send({ kind: 'take', turn, lane, maxWaitMs });
    });
    this.#running += 1;
    return () => {
      this.#running -= 1;
      this.#send({ kind: 'end', turn });
    };
  }

  /** An answer of the parent. */
  receive(message: ToTurns): void {
    const asked = this.#asked.get(message.turn);
    this.#asked.delete(message.turn);
    if (message.kind === 'begin') asked?.begin();
    else asked?.refuse(new Refusal('busy', message.message, message.retryAfterSeconds));
  }
}
