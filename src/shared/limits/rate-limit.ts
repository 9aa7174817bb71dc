import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { type RateStanding, Refusal } from './refusal.js';
import type { SharedCounters } from './shared-counters.js';

/** A call waits this long for its count in Redis at most. */
const redisTimeoutMs = 100;

export interface RateLimitOptions {
  /** Name of the limit in the answer's header and in Redis, as `credential`. */
  readonly policy: string;
  /** Whose calls are counted together, for messages, as `one credential`. */
  readonly of: string;
  /** Calls in a window. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** Counts that several instances share; null: this process counts alone. */
  readonly counters: SharedCounters | null;
}

/**
 * A limit on the calls of each key in windows of some seconds. A key's window begins with its first call. With Redis all
 * instances count together. While Redis is away or slow, each instance counts alone: nobody is refused because of it.
 */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #limiter: RateLimiterAbstract;

  constructor(options: RateLimitOptions) {
    this.#options = options;
    const { policy, quota: points, windowSeconds: duration, counters } = options;
    const keyPrefix = `postern:${policy}`;
    const own = new RateLimiterMemory({ keyPrefix, points, duration });
    this.#limiter = counters === null ? own : inRedis(counters, own);
  }

  /** Counts `calls` of a key and answers what is left. Throws `Refusal` (`rate_limited`) where that passes the quota. */
  async take(key: string, calls = 1): Promise<RateStanding> {
    return this.#standing(await this.#limiter.consume(key, calls).catch((reason: unknown) => this.#refuse(reason)));
  }

  /** What is left to a key. Counts nothing, and throws `Refusal` where nothing is left. */
  async check(key: string): Promise<RateStanding> {
    const counted = await this.#limiter.get(key);
    if (counted === null) return this.#standing(new RateLimiterRes(this.#options.quota, 0));
    return counted.remainingPoints > 0 ? this.#standing(counted) : this.#refuse(counted);
  }

  #standing({ remainingPoints, msBeforeNext }: RateLimiterRes): RateStanding {
    const { policy, quota, windowSeconds } = this.#options;
    const resetSeconds = Math.min(windowSeconds, Math.max(0, Math.ceil(msBeforeNext / 1_000)));
    return { policy, quota, windowSeconds, remaining: remainingPoints, resetSeconds };
  }

  #refuse(reason: unknown): never {
    if (!(reason instanceof RateLimiterRes)) throw reason;
    const { quota, windowSeconds, of } = this.#options;
    const message = `more than ${quota} calls in ${windowSeconds} s by ${of}`;
    const standing = this.#standing(reason);
    throw new Refusal('rate_limited', message, reason.msBeforeNext / 1_000, { standing });
  }
}

/** Counts in Redis; where it fails or takes too long, `own` counts. */
function inRedis({ client }: SharedCounters, own: RateLimiterMemory): RateLimiterAbstract {
  const { keyPrefix, points, duration } = own;
  const limiter = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    // A key that is over its quota is refused without asking Redis until its window ends.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: own,
    keyPrefix,
    points,
    duration,
  });
  return new RLWrapperTimeouts({ limiter, timeoutMs: redisTimeoutMs, insuranceLimiter: own });
}
