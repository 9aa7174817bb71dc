/** Scheme, host and port of an address, as browsers compare them: ZAP tells sites so. Null for what is no address. */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  return host === '' ? null : `${protocol}//${host}`;
}

/** A target's address without what is no part of the place: user, password and fragment. A record holds no secret. */
export function targetAddress(given: string): string {
  const url = new URL(given);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}
