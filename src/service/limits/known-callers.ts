import { type Kept, keep } from '../../shared/kept.js';
import { createKeyedHash } from '../../shared/limits/keyed-hash.js';

/** Whose limits a credential counts against. It proves nothing: each request is authenticated. */
export interface KnownCaller {
  /** Kind and id. */
  readonly id: string;
  readonly organisationId: string;
}

/** The credentials that were valid at their last use, so that what they ask is limited before it costs a query. */
export class KnownCallers {
  readonly #hash = createKeyedHash();
  readonly #callers: Kept<KnownCaller> = keep('limitedCallers');

  find(credential: string): KnownCaller | undefined {
    return this.#callers.get(this.#hash(credential));
  }

  remember(credential: string, { id, organisationId }: KnownCaller): void {
    this.#callers.set(this.#hash(credential), { id, organisationId });
  }

  forget(credential: string): void {
    this.#callers.delete(this.#hash(credential));
  }
}
