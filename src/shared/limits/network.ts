import ipaddr from 'ipaddr.js';

/** What counts as one place: an IPv4 address, or the /64 of an IPv6 address, all of which one customer has (RFC 6177). */
export function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 4) : parsed.toString();
}

/**
 * What one customer has at most, as a rule: the /24 of an IPv4 address, the /48 of an IPv6 network, which is 65,536 places (RFC 6177).
 *
 * @param network as `networkOf` answers it
 */
export function siteOf(network: string): string {
  const [address = ''] = network.split('/');
  if (!ipaddr.isValid(address)) return network;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 3) : `${parsed.octets.slice(0, 3).join('.')}.0/24`;
}

/** @param groups of 16 bits each */
function prefixOf({ parts }: ipaddr.IPv6, groups: number): string {
  const prefix = parts.slice(0, groups).map((part) => part.toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
}
