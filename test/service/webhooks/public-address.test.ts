import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/service/webhooks/public-address.js';
import { refusedReceiver, shownAddress } from '../../../src/service/webhooks/receiver-address.js';

const nobody: ReadonlySet<string> = new Set();

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
  expect(refusedReceiver('generic', url, nobody)).toBe('forbidden_address');
});

test.each(['ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/'])('%s is refused', (url) => {
  expect(refusedReceiver('generic', url, nobody)).toBe('forbidden_address');
});

test.each([
  'https://example.com/x',
  'http://93.184.215.14/',
  'https://[2606:4700::1111]:8443/',
  'https://xn--bcher-kva.example/',
])('%s may be a receiver', (url) => {
  expect(refusedReceiver('generic', url, nobody)).toBeNull();
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::808:808', true],
  ['64:ff9b::a00:1', false],
  ['fe80::1%eth0', false],
  ['4000::1', false],
  ['not an address', false],
  ['', false],
])('the address %s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

test.each([
  ['slack', 'https://hooks.slack.com/services/T/B/x', null],
  ['slack', 'http://hooks.slack.com/services/T/B/x', 'wrong_kind_of_address'],
  ['slack', 'https://hooks.slack.com.example.com/', 'wrong_kind_of_address'],
  ['slack', 'https://discord.com/api/webhooks/1/x', 'wrong_kind_of_address'],
  ['googlechat', 'https://chat.googleapis.com/v1/spaces/A/messages?key=x', null],
  ['googlechat', 'https://storage.googleapis.com/', 'wrong_kind_of_address'],
  ['teams', 'https://contoso.webhook.office.com/webhookb2/x', null],
  ['teams', 'https://prod-23.westeurope.logic.azure.com/workflows/x?sig=y', null],
  ['teams', 'https://default0a.1b.environment.api.powerplatform.com/powerautomate/x', null],
  ['teams', 'https://evillogic.azure.com/', 'wrong_kind_of_address'],
  ['discord', 'https://discord.com/api/webhooks/1/x', null],
  ['discord', 'https://discordapp.com/api/webhooks/1/x', null],
  ['discord', 'https://notdiscord.com/', 'wrong_kind_of_address'],
  ['discord', 'https://127.0.0.1/', 'forbidden_address'],
] as const)('a %s webhook at %s: %s', (kind, url, expected) => {
  expect(refusedReceiver(kind, url, nobody)).toBe(expected);
});

test('an allowed host may be private and of any kind, on its port alone where one is named', () => {
  const allowed = new Set(['127.0.0.1:8080', 'relay.internal', '[::1]']);
  expect(refusedReceiver('slack', 'http://127.0.0.1:8080/x', allowed)).toBeNull();
  expect(refusedReceiver('slack', 'http://127.0.0.1:8081/x', allowed)).toBe('forbidden_address');
  expect(refusedReceiver('teams', 'https://Relay.Internal.:9/x', allowed)).toBeNull();
  expect(refusedReceiver('generic', 'http://[::1]:5/', allowed)).toBeNull();
  expect(refusedReceiver('generic', 'http://user@relay.internal/', allowed)).toBe('forbidden_address');
});

test('an address is shown without path and query, where secrets are', () => {
  expect(shownAddress('https://hooks.slack.com/services/T0/B0/secret')).toBe('https://hooks.slack.com/…');
  expect(shownAddress('https://example.com:8443/?token=secret#x')).toBe('https://example.com:8443/…');
  expect(shownAddress('https://example.com')).toBe('https://example.com/');
});
