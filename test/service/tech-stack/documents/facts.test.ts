import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  distinctHashes,
  distinctLicences,
  licenceIds,
  toLicence,
  toSupplier,
} from '../../../../src/service/tech-stack/documents/component-facts.js';
import { readOtherPurl } from '../../../../src/shared/packages/other-purl.js';

test('the licence ids are those of CycloneDX’s schema, without exceptions', () => {
  const library = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json');
  const text = readFileSync(join(dirname(library), 'res/schema/spdx.SNAPSHOT.schema.json'), 'utf8');
  const { enum: ids } = z.object({ enum: z.array(z.string()) }).parse(JSON.parse(text));
  expect([...licenceIds].filter((id) => !ids.includes(id))).toEqual([]);
  const others = ids.filter((id) => !licenceIds.has(id));
  // An exception is no licence, and most have the word in their name.
  expect(others.filter((id) => /exception/i.test(id)).length).toBeGreaterThan(others.length * 0.8);
});

test('a licence is an id where SPDX has it, else a name or an expression', () => {
  expect(toLicence('MIT')).toEqual({ id: 'MIT' });
  expect(toLicence('MIT', true)).toEqual({ id: 'MIT' });
  expect(toLicence('Our\n own')).toEqual({ name: 'Our own' });
  expect(toLicence('MIT OR Apache-2.0', true)).toEqual({ expression: 'MIT OR Apache-2.0' });
  for (const nothing of [undefined, '', '  ', 'NOASSERTION', 'NONE']) expect(toLicence(nothing)).toBeNull();
  expect(JSON.stringify(toLicence(`${'MIT OR '.repeat(10_000)}MIT`, true)).length).toBeLessThan(600);
  expect(distinctLicences([{ id: 'MIT' }, null, { id: 'MIT' }])).toEqual([{ id: 'MIT' }]);
});

test('digests have CycloneDX’s names and the length of their algorithm', () => {
  const sha1 = 'A'.repeat(40);
  expect(
    distinctHashes([
      { alg: 'sha1', content: sha1 },
      { alg: 'SHA-1', content: 'b'.repeat(40) },
      { alg: 'SHA3_256', content: '0'.repeat(64) },
      { alg: 'SHA-256', content: sha1 },
      { alg: 'MD5', content: 'z'.repeat(32) },
      { alg: 'CRC', content: '00' },
      {},
    ]),
  ).toEqual([
    { alg: 'SHA-1', content: sha1.toLowerCase() },
    { alg: 'SHA3-256', content: '0'.repeat(64) },
  ]);
});

test('a supplier is a name of one line', () => {
  expect(toSupplier('Organization: Acme, Inc (a@b.example)')).toBe('Acme, Inc (a@b.example)');
  expect(toSupplier('NOASSERTION')).toBeNull();
  expect(toSupplier('x'.repeat(1_000_000))).toHaveLength(200);
});

test.each([
  ['pkg:DEB/debian/curl@7.50.3-1?distro=jessie&arch=i386', 'pkg:deb/debian/curl@7.50.3-1?arch=i386&distro=jessie'],
  ['pkg:apk//alpine/busybox@1.36.1-r2?upstream=', 'pkg:apk/alpine/busybox@1.36.1-r2'],
  ['pkg:github/a/b@v1#/./sub/../dir', 'pkg:github/a/b@v1#sub/dir'],
  ['pkg:generic/a%20b@1%2B2', 'pkg:generic/a%20b@1%2B2'],
  ['pkg:generic/a b@1+2', 'pkg:generic/a%20b@1%2B2'],
])('%s is %s', (given, canonical) => {
  expect(readOtherPurl(given)?.purl).toBe(canonical);
  expect(readOtherPurl(canonical)?.purl).toBe(canonical);
});

test.each([
  'pkg:deb',
  'pkg:deb/',
  'deb/a@1',
  'pkg:generic/%zz@1',
  'pkg:generic/a@%00',
  `pkg:generic/${'a'.repeat(2000)}`,
  'pkg:generic/a?=x',
  'pkg:generic/%ED%A0%80@1',
])('%s is no package URL', (text) => {
  expect(readOtherPurl(text)).toBeNull();
});
