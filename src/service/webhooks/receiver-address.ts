import { isIP } from 'node:net';
import type { Reason } from '../../procedures/problem.js';
import type { WebhookKind } from '../events/domain-event.js';
import { type AllowedHosts, comparableHost, isAllowedHost } from './allowed-hosts.js';
import { isLocalName, isPublicAddress } from './public-address.js';

/** Where each chat service receives webhooks; a pattern that begins with a dot stands for every name below it. */
const hostsOf: Readonly<Record<WebhookKind, readonly string[] | null>> = {
  slack: ['hooks.slack.com', 'hooks.slack-gov.com'],
  googlechat: ['chat.googleapis.com'],
  teams: ['.webhook.office.com', '.logic.azure.com', '.powerplatform.com'],
  discord: ['discord.com', '.discord.com', 'discordapp.com', '.discordapp.com'],
  generic: null,
};

/**
 * Why an address cannot be a receiver of this kind; null where it can. Which addresses its name leads to is looked at when
 * a connection is made: what DNS answers now says nothing about later.
 */
export function refusedReceiver(kind: WebhookKind, text: string, allowed: AllowedHosts): Reason | null {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'forbidden_address';
  if (url.username !== '' || url.password !== '') return 'forbidden_address';
  if (isAllowedHost(allowed, url)) return null;
  if (!leadsOutside(url.hostname)) return 'forbidden_address';
  const hosts = hostsOf[kind];
  if (hosts === null) return null;
  const host = comparableHost(url.hostname);
  const isOfKind = hosts.some((own) => (own.startsWith('.') ? host.endsWith(own) : host === own));
  return isOfKind && url.protocol === 'https:' ? null : 'wrong_kind_of_address';
}

/**
 * Whether a URL's host may be a public one. The URL parser has made every spelling of an IPv4 address (decimal, octal, hex,
 * short, full-width digits) a dotted one.
 */
export function leadsOutside(hostname: string): boolean {
  const host = comparableHost(hostname).replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? host !== '' && !isLocalName(host) : isPublicAddress(host);
}

/** An address without what is secret in it: chat services put their secret into path and query. */
export function shownAddress(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`;
}
