import { FeedError } from './feed.js';

/** A feed's address: https, or plain http on this machine. Credentials in a URL are rejected: they would reach logs. */
export function feedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new FeedError('the feed address is not a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new FeedError(`${url.host}: a feed address must hold no password`);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw new FeedError(`${url.host}: feeds are read by https only`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The address without its query, which may hold a key. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
