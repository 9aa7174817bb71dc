import { createKeyedHash } from '../../shared/limits/keyed-hash.js';

/** Whose limits a credential counts against. It proves nothing: each request is authenticated. */
export interface KnownCaller {
  /** Kind and id. */
  readonly id: string;
  readonly organisationId: string;
}

const maxCallers = 20_000;

/**
 * The credentials that were valid at their last use, so that what they ask is limited before it costs a query. Of a
 * credential a keyed hash is kept. The one that was unused for the longest time is forgotten first.
 */
export class KnownCallers {
  readonly #hash = createKeyedHash();
  readonly #callers = new Map<string, KnownCaller>();

  find(credential: string): KnownCaller | undefined {
    const hash = this.#hash(credential);
    const caller = this.#callers.get(hash);
    if (caller === undefined) return undefined;
    this.#callers.delete(hash);
    this.#callers.set(hash, caller);
    return caller;
  }

  remember(credential: string, { id, organisationId }: KnownCaller): void {
    const [oldest] = this.#callers.keys();
    if (this.#callers.size >= maxCallers && oldest !== undefined) this.#callers.delete(oldest);
    this.#callers.set(this.#hash(credential), { id, organisationId });
  }

  forget(credential: string): void {
    this.#callers.delete(this.#hash(credential));
  }
}
