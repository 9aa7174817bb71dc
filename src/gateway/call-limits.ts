import { type AnyProcedure, isComposite } from '../procedures/define.js';
import { domains } from '../procedures/risk.js';
import { beginNewcomer, eventLoop } from '../shared/limits/event-loop.js';
import { FairQueue } from '../shared/limits/fair-queue.js';
import { createKeyedHash, type KeyedHash } from '../shared/limits/keyed-hash.js';
import { defaultLimits, type LimitSettings, rateWindowSeconds } from '../shared/limits/limit-settings.js';
import { networkOf } from '../shared/limits/network.js';
import { RateLimit } from '../shared/limits/rate-limit.js';
import { Refusal, rateLimitFields } from '../shared/limits/refusal.js';
import type { SharedCounters } from '../shared/limits/shared-counters.js';
import type { Caller } from './caller.js';
import { busy, CallerLeft, rateLimited } from './errors.js';

export interface CallLimitsOptions {
  readonly limits?: LimitSettings;
  /** Counts that several instances share, and a secret that they have in common; each counts alone if absent. */
  readonly shared?: { readonly counters: SharedCounters; readonly secret: string } | null;
}

/**
 * Requests that are sent to the service at once. A composite counts as its parts: more would wait in the service instead, where
 * a part could be refused after the others were answered.
 */
const maxRunning = 24;
const maxRunningPerCredential = 16;

const maxWaiting = 2_000;

/** A call that may be worked on. */
export interface EnteredCall {
  /** Ends it. */
  readonly leave: () => void;
  /** Waits until the thread has time for the next piece of its work. */
  readonly nextTurn: () => Promise<void> | undefined;
}

/** Uploads and documents under way at once, which last as long as their callers' lines take. They keep no call waiting. */
const maxTransfers = 64;
const maxTransfersPerCredential = 4;

/**
 * Limits the calls of each credential, whatever they ask, and those without one by their address. The service limits
 * organisations: only it knows them.
 */
export class CallLimits {
  readonly #rate: RateLimit;
  readonly #inFlight: Readonly<Record<'credential' | 'address', FairQueue>>;
  readonly #queues: Readonly<Record<'call' | 'transfer', FairQueue>>;
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
    const atOnce = (whose: string) => {
      return new FairQueue({ name: `calls at once by ${whose}`, maxRunningPerKey: limits.atOncePerCredential });
    };
    this.#inFlight = { credential: atOnce(of), address: atOnce('one address without a credential') };
    const queue = (name: string, running: number, maxRunningPerKey: number) => {
      return new FairQueue({ maxRunning: running, maxRunningPerKey, maxWaitMs: limits.maxWaitMs, maxWaiting, name });
    };
    this.#queues = {
      call: queue('calls', maxRunning, maxRunningPerCredential),
      transfer: queue('transfers', maxTransfers, maxTransfersPerCredential),
    };
    this.#hash = createKeyedHash(shared?.secret);
  }

  /**
   * Counts a call, a composite as its parts, and waits for its turn. The caller learns what
   * is left. Calls without credential have no rate: what is public has limits of its own in the service. Throws
   * `GatewayError` (`rate_limited`, `unavailable`) or, where the caller has left, `CallerLeft`.
   */
  async enter(
    procedure: AnyProcedure,
    caller: Caller,
    signal: AbortSignal | undefined,
    kind: 'call' | 'transfer' = 'call',
  ): Promise<EnteredCall> {
    const parts = isComposite(procedure) ? domains.length : 1;
    const held: (() => void)[] = [];
    const leave = () => {
      for (const release of held.splice(0)) release();
    };
    try {
      const key = caller.credential?.hashedBy(this.#hash);
      const address = networkOf(caller.address);
      if (key === undefined) {
        held.push(this.#inFlight.address.enter(address));
        await beginNewcomer(address);
      } else {
        held.push(this.#inFlight.credential.enter(key));
        const standing = await this.#rate.take(key, parts);
        caller.showLimits?.(rateLimitFields([standing]));
      }
      const lane = key ?? `address ${address}`;
      held.push(await this.#queues[kind].acquire(lane, { places: parts, ...(signal !== undefined && { signal }) }));
      const nextTurn = () => eventLoop.next(lane);
      await nextTurn();
      return { leave, nextTurn };
    } catch (error) {
      leave();
      if (!(error instanceof Refusal)) throw error;
      if (signal?.aborted === true) throw new CallerLeft();
      if (error.refusal === 'busy') throw busy(error.retryAfterSeconds, caller.requestId);
      if (error.standing !== null) caller.showLimits?.(rateLimitFields([error.standing]));
      throw rateLimited(error.retryAfterSeconds);
    }
  }
}
