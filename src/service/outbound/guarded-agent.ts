import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type AllowedHosts, isAllowedHost } from './allowed-hosts.js';
import { canBePublic, isPublicAddress } from './public-address.js';

export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/**
 * Connects only to public addresses, and to hosts that the operator allows. It checks the addresses that the connection
 * will use: a name that had another address a moment ago (DNS rebinding) does not get past it.
 */
export function guardedAgent(allowed: AllowedHosts, timeoutMs: number): Agent {
  const open = buildConnector({ timeout: timeoutMs });
  const guarded = buildConnector({ timeout: timeoutMs, lookup: publicLookup });
  return new Agent({
    // For each origin. Receivers that share one, and hang, leave connections to the others: see the shares of deliveries.
    connections: 16,
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, callback) {
      if (isAllowedHost(allowed, options)) open(options, callback);
      // A host that is an IP address needs no look-up, so `publicLookup` would not check it.
      else if (canBePublic(options.hostname)) guarded(options, callback);
      else callback(new ForbiddenAddressError(), null);
    },
  });
}

/** Looks up a name, and fails where any of its addresses is not public. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) callback(error ?? new Error('no address'), [], 0);
    else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(new ForbiddenAddressError(), [], 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
