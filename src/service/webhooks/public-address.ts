import ipaddr from 'ipaddr.js';

/** IPv6 addresses that IANA has given out for the public internet (RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64 (RFC 6052): the way of a network without IPv4 to IPv4 hosts. Local-use prefixes (RFC 8215) are not public. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Azure's host agent, on a public address: it hands credentials to whoever runs on the machine. */
const azureAgent = '168.63.129.16';

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local (where clouds keep their metadata),
 * carrier-grade NAT, multicast, reserved or unspecified. An IPv4 address inside an IPv6 one counts as itself; tunnels (6to4,
 * Teredo) are refused, whatever is inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (!(address instanceof ipaddr.IPv6)) return isPublicIPv4(address);
  if (address.zoneId !== undefined && address.zoneId !== null) return false;
  if (address.isIPv4MappedAddress() || address.match(nat64)) return isPublicIPv4(embeddedIPv4(address));
  return address.range() === 'unicast' && address.match(globalUnicast);
}

function isPublicIPv4(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unicast' && address.toString() !== azureAgent;
}

/** The last 32 bits. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** Names that lead to this machine or this network by themselves (RFC 6761, 6762, 8375 and custom). */
const localSuffixes = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa', 'lan', 'intranet', 'corp', 'home'];

/** Whether a host name, without a trailing dot, is of a local network: it has no dot, or ends in a local domain. */
export function isLocalName(hostname: string): boolean {
  return !hostname.includes('.') || localSuffixes.some((suffix) => hostname.endsWith(`.${suffix}`));
}
