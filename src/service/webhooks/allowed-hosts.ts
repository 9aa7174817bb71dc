/** Receivers that may be private, by `host` or `host:port` in lower case: for those who host the service themselves. */
export type AllowedHosts = ReadonlySet<string>;

/** A host as it is compared: without the dot that makes a name absolute, and IPv6 in brackets whoever has taken them off. */
export function comparableHost(hostname: string): string {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** Whether the operator has allowed the address whatever it leads to. */
export function isAllowedHost(allowed: AllowedHosts, { hostname, port, protocol }: Address): boolean {
  const host = comparableHost(hostname);
  return allowed.has(host) || allowed.has(`${host}:${port || (protocol === 'https:' ? '443' : '80')}`);
}

interface Address {
  readonly hostname: string;
  /** Empty for the protocol's own. */
  readonly port: string;
  readonly protocol: string;
}
