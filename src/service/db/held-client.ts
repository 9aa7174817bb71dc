import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { type Kept, keep } from '../../shared/kept.js';

/** A client of a pool while it is in use. */
export class HeldClient {
  #broken: Error | undefined;
  readonly client: PoolClient;

  constructor(client: PoolClient) {
    this.client = client;
    client.on('error', this.#onError);
  }

  /** A lost connection also emits an `error` event while in use. Without a listener it would end the process. */
  readonly #onError = (error: Error): void => {
    this.#broken = error;
  };

  /** The pool will close it. */
  drop(error: unknown): void {
    this.#broken = error instanceof Error ? error : new Error(String(error));
  }

  /** Gives it back to the pool, which closes it where it is broken. */
  release(): void {
    this.client.off('error', this.#onError);
    this.client.release(this.#broken);
  }
}

/** Longer ones are those of many rows: their number changes from one to the next. */
const maxLength = 10_000;

/** How a statement is sent: with its text, or by its name alone where the server has it. */
export interface Preparation {
  /** Empty: it is not kept. */
  readonly name: string;
  readonly isKnown: boolean;
}

/** Statements that connections of one pool share. */
export interface PoolKnowledge {
  /** False where something stands between that gives each transaction another connection of the server. */
  keepsNames: boolean;
}

/**
 * The statements that a connection has at the server by name, so that it parses and plans each of them once. To plan a query takes
 * several times as long as to answer it from a page of rows. A text is kept from its second use; the one that was unused for the
 * longest time goes first.
 */
export class PreparedStatements {
  /** By text. */
  readonly #names: Kept<string> = keep('statements', (name) => this.#closing.push(name));
  readonly #sentOnce: Kept<string> = keep('sentOnce');
  /** The embedded database's connections share one session, and so their names. */
  readonly #prefix = randomBytes(6).toString('hex');
  #made = 0;
  readonly #pool: PoolKnowledge;
  #closing: string[] = [];

  constructor(pool: PoolKnowledge = { keepsNames: true }) {
    this.#pool = pool;
  }

  prepare(text: string): Preparation {
    if (!this.#pool.keepsNames) return { name: '', isKnown: false };
    const known = this.#names.get(text);
    if (known !== undefined) return { name: known, isKnown: true };
    if (text.length > maxLength || !this.#wasSeen(text)) return { name: '', isKnown: false };
    this.#made += 1;
    const name = `${this.#prefix}_${this.#made}`;
    this.#names.set(text, name);
    return { name, isKnown: false };
  }

  /** It may not be at the server, or is not needed there. */
  forget(text: string): void {
    this.#names.delete(text);
  }

  /**
   * The server does not have what it was said to have: a pool between lets every transaction have another of its connections
   * (pgbouncer before 1.21, or with `max_prepared_statements = 0`). From now on no connection of this pool keeps anything: the next try of
   * the same work needs no name.
   */
  giveUp(): void {
    this.#pool.keepsNames = false;
    this.#names.clear();
    this.#closing = [];
  }

  /** Their answers have changed with their tables. */
  forgetAll(): void {
    this.#names.clear();
  }

  /** The names to close at the server since the last time. */
  takeClosing(): string[] {
    return this.#pool.keepsNames ? this.#closing.splice(0) : [];
  }

  #wasSeen(text: string): boolean {
    if (this.#sentOnce.delete(text)) return true;
    this.#sentOnce.set(text, text);
    return false;
  }
}
