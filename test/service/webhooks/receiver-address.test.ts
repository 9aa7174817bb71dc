import { expect, test } from 'vitest';
import { receiverRejection, shownAddress } from '../../../src/service/webhooks/receiver-address.js';

const noHosts: ReadonlySet<string> = new Set();

test.each([
  ['loopback', 'http://127.0.0.1/'],
  ['loopback, another address of it', 'http://127.8.9.1/'],
  ['loopback, short', 'http://127.1/'],
  ['loopback, decimal', 'http://2130706433/'],
  ['loopback, octal', 'http://0177.0.0.1/'],
  ['loopback, hexadecimal', 'http://0x7f000001/'],
  ['loopback, full-width digits', 'http://１２７.０.０.１/'],
  ['loopback, percent-encoded', 'http://%31%32%37.0.0.1/'],
  ['loopback with a trailing dot', 'http://127.0.0.1./'],
  ['loopback, IPv6', 'http://[::1]/'],
  ['loopback, IPv4-mapped', 'http://[::ffff:127.0.0.1]/'],
  ['loopback, IPv4-compatible', 'http://[::127.0.0.1]/'],
  ['loopback, NAT64', 'http://[64:ff9b::7f00:1]/'],
  ['loopback, NAT64 of local use', 'http://[64:ff9b:1::7f00:1]/'],
  ['loopback, 6to4', 'http://[2002:7f00:1::]/'],
  ['loopback, Teredo', 'http://[2001:0:7f00:1::]/'],
  ['loopback, translated (SIIT)', 'http://[::ffff:0:127.0.0.1]/'],
  ['unspecified', 'http://0.0.0.0/'],
  ['unspecified, IPv6', 'http://[::]/'],
  ['private, 10/8', 'http://10.0.0.1/'],
  ['private, 172.16/12', 'http://172.31.255.255/'],
  ['private, 192.168/16', 'http://192.168.1.1/'],
  ['private, IPv6', 'http://[fd00:ec2::254]/'],
  ['site-local, IPv6', 'http://[fec0::1]/'],
  ['carrier-grade NAT', 'http://100.64.0.1/'],
  ['link-local: metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['link-local: metadata, IPv4-mapped', 'http://[::ffff:a9fe:a9fe]/'],
  ['link-local, IPv6', 'http://[fe80::1]/'],
  ['metadata on a public address (Azure)', 'http://168.63.129.16/'],
  ['metadata of Oracle', 'http://192.0.0.192/'],
  ['multicast', 'http://224.0.0.1/'],
  ['multicast, IPv6', 'http://[ff02::1]/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['reserved', 'http://240.0.0.1/'],
  ['documentation, IPv6', 'http://[2001:db8::1]/'],
  ['localhost', 'http://localhost/'],
  ['localhost in capitals with a dot', 'http://LOCALHOST./'],
  ['below localhost', 'http://a.localhost/'],
  ['a name without a dot', 'http://database/'],
  ['a name of a local network', 'http://metadata.google.internal/'],
  ['a user in the address', 'https://user@example.com/'],
  ['a password in the address', 'https://:pass@example.com/'],
  ['an allowed host as the user', 'https://example.com@127.0.0.1/'],
])('%s is refused: %s', (_, url) => {
  expect(receiverRejection('generic', url, noHosts)).toBe('forbidden_address');
});

test.each(['ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/'])('%s is refused', (url) => {
  expect(receiverRejection('generic', url, noHosts)).toBe('forbidden_address');
});

test('an allowed host may be private and of any kind, on its port alone where one is named', () => {
  const allowed = new Set(['127.0.0.1:8080', 'relay.internal', '[::1]']);
  expect(receiverRejection('slack', 'http://127.0.0.1:8080/x', allowed)).toBeNull();
  expect(receiverRejection('slack', 'http://127.0.0.1:8081/x', allowed)).toBe('forbidden_address');
  expect(receiverRejection('teams', 'https://Relay.Internal.:9/x', allowed)).toBeNull();
  expect(receiverRejection('generic', 'http://[::1]:5/', allowed)).toBeNull();
  expect(receiverRejection('generic', 'http://user@relay.internal/', allowed)).toBe('forbidden_address');
});

test('an address is shown without path and query, where secrets are', () => {
  expect(shownAddress('https://hooks.slack.com/services/T0/B0/secret')).toBe('https://hooks.slack.com/…');
  expect(shownAddress('https://example.com:8443/?token=secret#x')).toBe('https://example.com:8443/…');
  expect(shownAddress('https://example.com')).toBe('https://example.com/');
});
