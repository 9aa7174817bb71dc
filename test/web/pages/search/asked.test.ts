import { expect, test } from 'vitest';
import { askedBy, nameIn } from '../../../../src/web/pages/search/asked.js';

test.each([
  ['cve-2021-44228', { kind: 'vulnerability', id: 'CVE-2021-44228' }],
  ['GHSA-jfh8-c2jp-5v3q', { kind: 'vulnerability', id: 'GHSA-jfh8-c2jp-5v3q' }],
  ['pkg:npm/%40a/b@1.0.0', { kind: 'purl', purl: 'pkg:npm/%40a/b@1.0.0' }],
  ['pkg:npm/lodash', { kind: 'name' }],
  ['@scope/name@1.0.0-rc.1', { kind: 'version', name: '@scope/name', version: '1.0.0-rc.1' }],
  ['golang.org/x/net@v0.38.0', { kind: 'version', name: 'golang.org/x/net', version: 'v0.38.0' }],
  ['ada@example.com', { kind: 'name' }],
  ['lodash', { kind: 'name' }],
  ['CVE-2021-44228 in log4j', { kind: 'name' }],
])('%s', (text, asked) => {
  expect(askedBy(text)).toEqual(asked);
});

test('names are searched for without the version', () => {
  expect(nameIn(' lodash@4.17.11 ')).toBe('lodash');
  expect(nameIn('web shop')).toBe('web shop');
});
