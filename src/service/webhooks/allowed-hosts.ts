/** Receivers that may be private, by `host` or `host:port` in lower case: for those who host the service themselves. */
export type AllowedHosts = ReadonlySet<string>;

/** A host name as it is compared: without the dot that makes a name absolute. */
export function comparableHost(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

/** Whether the operator has allowed the address whatever it leads to. */
export function isAllowedHost(allowed: AllowedHosts, { hostname, port, protocol }: Address): boolean {
  const host = comparableHost(hostname);
  return allowed.has(host) || allowed.has(`${host}:${port || (protocol === 'https:' ? '443' : '80')}`);
}

interface Address {
  /** IPv6 in brackets. */
  readonly hostname: string;
  /** Empty for the protocol's own. */
  readonly port: string;
  readonly protocol: string;
}
