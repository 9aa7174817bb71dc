import ipaddr from 'ipaddr.js';

/** Whose calls an address stands for: an IPv4 address, or a /64 of IPv6, which one subscriber has (RFC 6177). */
export function addressGroup(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
