import ipaddr from 'ipaddr.js';

/** What counts as one place: an IPv4 address, or the /64 of an IPv6 address, all of which one customer has (RFC 6177). */
export function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
