import { Refusal } from '../../shared/limits/refusal.js';
import type { TransactionTurns } from '../db/transaction-turns.js';
import type { OfTurns, ToTurns } from './turn-messages.js';

/** The turns that one upload's process has asked for, and ends with it at the latest. */
export class ChildTurns {
  readonly #turns: TransactionTurns;
  readonly #answer: (message: ToTurns) => void;
  readonly #held = new Map<number, () => void>();
  #isEnded = false;

  constructor(turns: TransactionTurns, answer: (message: ToTurns) => void) {
    this.#turns = turns;
    this.#answer = answer;
  }

  receive(message: OfTurns): void {
    if (message.kind === 'take') this.#take(message);
    else this.#release(message.turn);
  }

  /** The process has ended. */
  end(): void {
    this.#isEnded = true;
    for (const turn of [...this.#held.keys()]) this.#release(turn);
  }

  async #take({ turn, lane, maxWaitMs }: Extract<OfTurns, { kind: 'take' }>): Promise<void> {
    try {
      this.#held.set(turn, await this.#turns.acquire(lane, { maxWaitMs, yields: true }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { message, retryAfterSeconds } = error;
      this.#answer({ kind: 'refused', turn, message, retryAfterSeconds });
      return;
    }
    if (this.#isEnded) this.#release(turn);
    else this.#answer({ kind: 'begin', turn });
  }

  #release(turn: number): void {
    this.#held.get(turn)?.();
    this.#held.delete(turn);
  }
}
