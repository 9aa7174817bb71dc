import { type Kept, keep } from '../../shared/kept.js';
import { createKeyedHash } from '../../shared/limits/keyed-hash.js';
import type { Caller } from './caller.js';

/** How exactly the last use of a credential is kept: one update a minute at most. */
export const lastUsePrecisionMs = 60_000;

interface Known {
  readonly caller: Caller;
  readonly revision: number;
  readonly untilMs: number;
}

/**
 * The callers of credentials that were looked up less than a minute ago, while nothing that bears on a caller has changed: not
 * one key, session, member or organisation. Of a credential a keyed hash is kept.
 */
export class CallerCache {
  readonly #revision: () => number | null;
  readonly #hash = createKeyedHash();
  readonly #known: Kept<Known> = keep('callers');
  /** Look-ups that have not begun. */
  readonly #starting = new Map<string, Promise<Caller | undefined>>();

  /** @param revision of all callers (`Database.callersRevision`) */
  constructor(revision: () => number | null) {
    this.#revision = revision;
  }

  /** The caller of a credential; undefined where `look` finds none, which is not kept. */
  async find(credential: string, now: Date, look: () => Promise<Caller | undefined>): Promise<Caller | undefined> {
    const hash = this.#hash(credential);
    const revision = this.#revision();
    if (revision === null) return this.#lookOnce(hash, look);
    const known = this.#known.get(hash);
    if (known !== undefined && known.revision === revision && isGood(known, now)) return known.caller;
    this.#known.delete(hash);
    const caller = await this.#lookOnce(hash, look);
    // What changed meanwhile may not be in the answer.
    if (caller !== undefined && this.#revision() === revision) {
      this.#known.set(hash, { caller, revision, untilMs: now.getTime() + lastUsePrecisionMs });
    }
    return caller;
  }

  /** One look-up for those who ask at once, as the parts of a composite do. It begins after all of them, so it is no older than any. */
  #lookOnce(hash: string, look: () => Promise<Caller | undefined>): Promise<Caller | undefined> {
    const starting = this.#starting.get(hash);
    if (starting !== undefined) return starting;
    const started = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      this.#starting.delete(hash);
      return look();
    });
    this.#starting.set(hash, started);
    return started;
  }
}

function isGood({ caller, untilMs }: Known, now: Date): boolean {
  return now.getTime() < untilMs && (caller.expiresAt === null || now < caller.expiresAt);
}
