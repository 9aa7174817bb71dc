import { FairQueue } from '../../shared/limits/fair-queue.js';
import { siteOf } from '../../shared/limits/network.js';
import { ApiError } from '../http/api-error.js';
import { SlidingWindows } from './sliding-windows.js';

const windowMs = 15 * 60 * 1000;

/**
 * Failures in 15 minutes: for an account from one address, from an address, from a site, for an account, and in all. A tenth of all
 * for a site: who has one /48 of IPv6 has 65,536 addresses here, and would stop everybody's first sign-in.
 */
const limits = { pair: 10, address: 30, site: 100, account: 20, all: 1_000 } as const;

/** Tries of one network beyond its limit of which it is asked at once whether they are a known member's. */
const maxAsked = 16;

/** One try to sign in, by the e-mail address and the network that it comes from. */
interface SignInTry {
  readonly email: string;
  readonly network: string;
}

/** A counted attempt; one that is neither stays counted, as a failure. */
interface CountedAttempt {
  /** Takes its count back, and forgets the failures of this account from here. */
  readonly succeed: () => void;
  /** Takes its count back: the password was not looked at. */
  readonly withdraw: () => void;
  /** The limits are reached: no account counts but those whose member has signed in from this network before. */
  readonly onlyKnown: boolean;
}

/**
 * Slows the guessing of passwords: of one account, from one address or site, and by many addresses that share the work. Where a
 * member has signed in from before, strangers do not lock the member out: there only the failures of the same account
 * count. Unknown accounts are counted as known ones are. An address has one count, in however many organisations it has accounts. Kept in
 * memory, so each instance counts by itself.
 */
export interface SignInThrottle {
  /**
   * Counts an attempt, before the password check, so that parallel attempts count too.
   *
   * @param isKnown whether an account with the address has signed in from this network before; asked only where that decides
   * @throws ApiError `rate_limited`, or `Refusal` where a network beyond its limit tries too often at once
   */
  begin(attempt: SignInTry, now: Date, isKnown: () => Promise<boolean>): Promise<CountedAttempt>;
}

export function createSignInThrottle(): SignInThrottle {
  const pairs = new SlidingWindows(limits.pair, windowMs);
  const networks = new SlidingWindows(limits.address, windowMs);
  const sites = new SlidingWindows(limits.site, windowMs);
  const accounts = new SlidingWindows(limits.account, windowMs);
  const all = new SlidingWindows(limits.all, windowMs);
  const asked = new FairQueue({
    name: 'calls at once by one address with failed sign-ins',
    maxRunningPerKey: maxAsked,
  });
  const isKnownIn = async (network: string, isKnown: () => Promise<boolean>) => {
    const leave = asked.enter(network);
    try {
      return await isKnown();
    } finally {
      leave();
    }
  };
  return {
    async begin({ email, network }, now, isKnown) {
      const at = now.getTime();
      const pair = `${network} ${email}`;
      requireNoWait(pairs.waitMs(pair, at));
      const shared = [
        [networks, network],
        [sites, siteOf(network)],
        [accounts, email],
        [all, ''],
      ] as const;
      const wait = Math.max(...shared.map(([windows, key]) => windows.waitMs(key, at)));
      if (wait > 0) {
        if (!(await isKnownIn(network, isKnown))) requireNoWait(wait);
        // Others may have been counted meanwhile.
        requireNoWait(pairs.waitMs(pair, at));
      }
      // Beyond the limits a try counts by itself: taken back, it would give strangers one more.
      const counts = [[pairs, pair] as const, ...(wait > 0 ? [] : shared)];
      for (const [windows, key] of counts) windows.count(key, at);
      const withdraw = () => {
        for (const [windows, key] of counts) windows.uncount(key, at);
      };
      const succeed = () => {
        withdraw();
        pairs.forget(pair);
      };
      return { succeed, withdraw, onlyKnown: wait > 0 };
    },
  };
}

function requireNoWait(waitMs: number): void {
  if (waitMs === 0) return;
  throw new ApiError('rate_limited', {
    detail: 'too many failed attempts to sign in',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
