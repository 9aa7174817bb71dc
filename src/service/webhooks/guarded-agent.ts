import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type AllowedHosts, isAllowedHost } from './allowed-hosts.js';
import { isPublicAddress } from './public-address.js';
import { canBePublic } from './receiver-address.js';

/** Thrown instead of a connection to an address that is not public. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/**
 * Makes connections to public addresses alone, and to hosts the operator allows. It is the connection that is checked, on
 * the very addresses it will use: a name that led elsewhere a moment ago (DNS rebinding) gets nowhere.
 */
export function guardedAgent(allowed: AllowedHosts, timeoutMs: number): Agent {
  const open = buildConnector({ timeout: timeoutMs });
  const guarded = buildConnector({ timeout: timeoutMs, lookup: publicLookup });
  return new Agent({
    connections: 2,
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, callback) {
      if (isAllowedHost(allowed, options)) open(options, callback);
      // An address needs no look-up, and so would not be seen by one.
      else if (canBePublic(options.hostname)) guarded(options, callback);
      else callback(new ForbiddenAddressError(), null);
    },
  });
}

/** Looks a name up and refuses it where any of its addresses is not public. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) callback(error ?? new Error('no address'), [], 0);
    else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(new ForbiddenAddressError(), [], 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
