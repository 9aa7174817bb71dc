import { type AnyProcedure, isComposite } from '../procedures/define.js';
import { domains } from '../procedures/risk.js';
import { InFlight } from '../shared/limits/in-flight.js';
import { createKeyedHash, type KeyedHash } from '../shared/limits/keyed-hash.js';
import { defaultLimits, type LimitSettings, rateWindowSeconds } from '../shared/limits/limit-settings.js';
import { rateLimitFields } from '../shared/limits/rate-fields.js';
import { RateLimit } from '../shared/limits/rate-limit.js';
import { Refusal } from '../shared/limits/refusal.js';
import type { SharedCounters } from '../shared/limits/shared-counters.js';
import type { Caller } from './caller.js';
import { rateLimited } from './errors.js';

export interface CallLimitsOptions {
  readonly limits?: LimitSettings;
  /** Counts that several instances share, and a secret that they have in common; each counts alone if absent. */
  readonly shared?: { readonly counters: SharedCounters; readonly secret: string } | null;
}

/** Limits the calls of each credential, whatever they ask. The service limits organisations: only it knows them. */
export class CallLimits {
  readonly #rate: RateLimit;
  readonly #inFlight: InFlight;
  /** A credential is kept as this alone. */
  readonly #hash: KeyedHash;

  constructor({ limits = defaultLimits, shared = null }: CallLimitsOptions = {}) {
    const of = 'one credential';
    this.#rate = new RateLimit({
      policy: 'credential',
      of,
      quota: limits.ratePerCredential,
      windowSeconds: rateWindowSeconds,
      counters: shared?.counters ?? null,
    });
    this.#inFlight = new InFlight({ max: limits.atOncePerCredential, of, retryAfterSeconds: 1 });
    this.#hash = createKeyedHash(shared?.secret);
  }

  /**
   * Counts a call, a composite as its parts, and answers the function that ends it. The caller learns what is left. A call without
   * credential is not limited here: what is public has limits of its own in the service. Throws `GatewayError`
   * (`rate_limited`).
   */
  async enter(procedure: AnyProcedure, { credential, showLimits }: Caller): Promise<() => void> {
    if (credential === null) return () => {};
    const key = credential.hashedBy(this.#hash);
    try {
      const leave = this.#inFlight.enter(key);
      const standing = await this.#rate
        .take(key, isComposite(procedure) ? domains.length : 1)
        .catch((error: unknown) => {
          leave();
          throw error;
        });
      showLimits?.(rateLimitFields([standing]));
      return leave;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.standing !== null) showLimits?.(rateLimitFields([error.standing]));
      throw rateLimited(error.retryAfterSeconds);
    }
  }
}
