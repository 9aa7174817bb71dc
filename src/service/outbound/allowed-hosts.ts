/** Receivers that may have private addresses, as `host` or `host:port` in lower case. The operator sets them. */
export type AllowedHosts = ReadonlySet<string>;

/** A host in the form to compare: lower case, without the dot at the end of an absolute name, IPv6 in brackets. */
export function comparableHost(hostname: string): string {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** Whether the operator has allowed the host, even if its address is private. */
export function isAllowedHost(allowed: AllowedHosts, { hostname, port, protocol }: Address): boolean {
  const host = comparableHost(hostname);
  return allowed.has(host) || allowed.has(`${host}:${port || (protocol === 'https:' ? '443' : '80')}`);
}

interface Address {
  readonly hostname: string;
  /** Empty for the protocol's default. */
  readonly port: string;
  readonly protocol: string;
}
