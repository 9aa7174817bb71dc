import { type Kept, keep } from '../../shared/kept.js';
import { beginNewcomer, eventLoop } from '../../shared/limits/event-loop.js';
import { FairQueue } from '../../shared/limits/fair-queue.js';
import { createKeyedHash } from '../../shared/limits/keyed-hash.js';
import { type LimitSettings, rateWindowSeconds, unknownWindowSeconds } from '../../shared/limits/limit-settings.js';
import { networkOf } from '../../shared/limits/network.js';
import { RateLimit } from '../../shared/limits/rate-limit.js';
import { rateLimitFields } from '../../shared/limits/refusal.js';
import type { SharedCounters } from '../../shared/limits/shared-counters.js';
import type { Caller } from '../auth/caller.js';
import type { Lane } from '../db/transaction-turns.js';
import { ApiError } from '../http/api-error.js';

export interface AdmissionOptions {
  readonly limits: LimitSettings;
  readonly counters: SharedCounters | null;
}

/** A request that has just come. */
interface Arrival {
  readonly credential: string | undefined;
  /** The caller's IP address. */
  readonly address: string | null;
  /** Aborted when the caller has left. */
  readonly left: AbortSignal;
  /** Puts fields such as `RateLimit` into the answer's header. */
  readonly show: (fields: Readonly<Record<string, string>>) => void;
  readonly ownTurns: boolean;
}

/** Who is calling, found in the turns of a lane. `asked` is called before it asks the database. */
type Authenticate = (lane: Lane, asked: () => void) => Promise<Caller>;

/**
 * Requests that are worked on at once. The embedded database needs a few to be always busy, and one instance's connections
 * to a PostgreSQL server ten. A quarter is never one organisation's.
 */
const maxRunning = 16;
const maxRunningPerOrganisation = 12;

const maxWaiting = 2_000;

/**
 * Decides which requests are worked on, and when: by credential, by organisation and in all. A request that is refused throws
 * `Refusal`; it has cost no query where the credential is known, or its address has sent too many unknown ones.
 */
export class Admission {
  readonly #known = new KnownCallers();
  readonly #rates: Readonly<Record<'credential' | 'organisation' | 'unknown', RateLimit>>;
  readonly #inFlight: Readonly<Record<'credential' | 'organisation', FairQueue>>;
  readonly #queue: FairQueue;

  constructor({ limits, counters }: AdmissionOptions) {
    const rate = (policy: string, of: string, quota: number, windowSeconds: number) =>
      new RateLimit({ policy, of, quota, windowSeconds, counters });
    this.#rates = {
      credential: rate('credential', 'one credential', limits.ratePerCredential, rateWindowSeconds),
      organisation: rate('organisation', 'one organisation', limits.ratePerOrganisation, rateWindowSeconds),
      unknown: rate(
        'unknown-credentials',
        'one address with unknown credentials',
        limits.unknownPerAddress,
        unknownWindowSeconds,
      ),
    };
    const atOnce = (of: string, maxRunningPerKey: number) =>
      new FairQueue({ name: `calls at once by ${of}`, maxRunningPerKey });
    this.#inFlight = {
      credential: atOnce('one credential', limits.atOncePerCredential),
      organisation: atOnce('one organisation', limits.atOncePerOrganisation),
    };
    this.#queue = new FairQueue({
      maxRunning,
      maxRunningPerKey: maxRunningPerOrganisation,
      maxWaitMs: limits.maxWaitMs,
      maxWaiting,
      name: 'requests',
    });
  }

  /**
   * Authenticates a request in its turn, and runs its work. The turn ends with the work, or with the authentication where the
   * work has `ownTurns`: a file that arrives slowly, or goes out slowly, takes nobody's place.
   */
  async admit<T>(arrival: Arrival, authenticate: Authenticate, work: (caller: Caller) => Promise<T>): Promise<T> {
    const request = new AdmittedRequest(arrival);
    try {
      const { credential, address } = arrival;
      const caller = await this.#identify(credential, networkOf(address), authenticate, request);
      if (arrival.ownTurns) request.endTurn();
      return await work(caller);
    } finally {
      request.leave();
    }
  }

  async #identify(
    credential: string | undefined,
    address: string,
    authenticate: Authenticate,
    request: AdmittedRequest,
  ): Promise<Caller> {
    const known = credential === undefined ? undefined : this.#known.find(credential);
    if (known === undefined) await beginNewcomer(address);
    // Without a credential nobody is found, and nothing is asked.
    if (credential === undefined) return authenticate('newcomers', () => {});
    if (known === undefined) await this.#rates.unknown.check(address);
    else await this.#enter(known, request);
    let asked = false;
    try {
      if (known === undefined) await this.#takeTurn(`newcomers ${address}`, request);
      const lane = known === undefined ? 'newcomers' : laneOf(known);
      const caller = await authenticate(lane, () => {
        asked = true;
      });
      if (known !== undefined) return caller;
      const newcomer = { id: `${caller.kind} ${caller.id}`, organisationId: caller.organisationId };
      this.#known.remember(credential, newcomer);
      request.endTurn();
      await this.#enter(newcomer, request);
      return caller;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') {
        this.#known.forget(credential);
        // One that is malformed or forged has cost no query. What is refused here is refused as unknown.
        if (asked) await this.#rates.unknown.take(address).catch(() => undefined);
      }
      throw error;
    }
  }

  /** Counts a request of a known caller against its limits, and waits for its turn. */
  async #enter(caller: KnownCaller, request: AdmittedRequest): Promise<void> {
    const { id, organisationId } = caller;
    request.hold(this.#inFlight.credential.enter(id));
    request.hold(this.#inFlight.organisation.enter(organisationId));
    const { credential, organisation } = this.#rates;
    request.show(rateLimitFields(await Promise.all([credential.take(id), organisation.take(organisationId)])));
    await this.#takeTurn(laneOf(caller), request);
  }

  async #takeTurn(lane: string, request: AdmittedRequest): Promise<void> {
    request.holdTurn(await this.#queue.acquire(lane, { signal: request.left }));
    await eventLoop.next(lane);
  }
}

function laneOf({ organisationId }: KnownCaller): Lane {
  return `organisation:${organisationId}`;
}

/** The limits and the turn that a request holds while it is worked on. */
class AdmittedRequest {
  readonly left: AbortSignal;
  readonly show: Arrival['show'];
  readonly #held: (() => void)[] = [];
  #endTurn = () => {};

  constructor({ left, show }: Arrival) {
    this.left = left;
    this.show = show;
  }

  hold(release: () => void): void {
    this.#held.push(release);
  }

  holdTurn(release: () => void): void {
    this.#endTurn = release;
  }

  endTurn(): void {
    this.#endTurn();
  }

  leave(): void {
    this.endTurn();
    for (const release of this.#held.splice(0)) release();
  }
}

/** Whose limits a credential counts against. It proves nothing: each request is authenticated. */
export interface KnownCaller {
  /** Kind and id. */
  readonly id: string;
  readonly organisationId: string;
}

/** The credentials that were valid at their last use, so that what they ask is limited before it costs a query. */
class KnownCallers {
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
