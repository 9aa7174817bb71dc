import type { Reason } from '../../procedures/problem.js';
import { webhookHosts } from '../../procedures/webhook-hosts.js';
import type { WebhookKind } from '../../procedures/webhooks.js';
import { type AllowedHosts, comparableHost, isAllowedHost } from '../outbound/allowed-hosts.js';
import { canBePublic } from '../outbound/public-address.js';

/**
 * Why an address cannot be a receiver of this kind; null where it can. The IP addresses behind its name are checked when a
 * connection is made: DNS may answer differently then.
 */
export function receiverRejection(kind: WebhookKind, text: string, allowed: AllowedHosts): Reason | null {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'forbidden_address';
  if (url.username !== '' || url.password !== '') return 'forbidden_address';
  if (isAllowedHost(allowed, url)) return null;
  if (!canBePublic(url.hostname)) return 'forbidden_address';
  const hosts: readonly string[] | null = webhookHosts[kind];
  if (hosts === null) return null;
  const host = comparableHost(url.hostname);
  const isOfKind = hosts.some((pattern) => (pattern.startsWith('.') ? host.endsWith(pattern) : host === pattern));
  return isOfKind && url.protocol === 'https:' ? null : 'wrong_kind_of_address';
}

/** An address without path and query: chat services put their secret into them. */
export function shownAddress(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`;
}
