import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { comparableHost } from './allowed-hosts.js';

/** IPv6 addresses that IANA assigns for the public internet (RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64 (RFC 6052): how a network without IPv4 reaches IPv4 hosts. The prefix for local use (RFC 8215) is not public. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Azure's host agent. It has a public address, and gives credentials to every program on the machine. */
const azureAgent = '168.63.129.16';

/**
 * Whether an IP address belongs to the public internet: not private, loopback, link-local (as the metadata services of
 * clouds), carrier-grade NAT, multicast, reserved or unspecified. Of an IPv4 address inside an IPv6 one, the IPv4 address
 * decides. Tunnels (6to4, Teredo) are never public.
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

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** Domains of this machine or the local network (RFC 6761, 6762, 8375, and common practice). */
const localSuffixes = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa', 'lan', 'intranet', 'corp', 'home'];

/** Whether a host name (without a dot at its end) is local: it has no dot, or ends with a local domain. */
function isLocalName(hostname: string): boolean {
  return !hostname.includes('.') || localSuffixes.some((suffix) => hostname.endsWith(`.${suffix}`));
}

/**
 * Whether a URL's host may be a public one. The URL parser has turned every spelling of an IPv4 address (decimal, octal,
 * hex, short, full-width digits) into the dotted one.
 */
export function canBePublic(hostname: string): boolean {
  const host = comparableHost(hostname).replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? host !== '' && !isLocalName(host) : isPublicAddress(host);
}
