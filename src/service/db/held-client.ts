import type { PoolClient } from 'pg';

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
