import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Ecosystem, ecosystems } from '../../../src/shared/packages/ecosystem.js';
import {
  normaliseName,
  type PackageCoordinate,
  parsePurl,
  printPurl,
  purlType,
  readPurl,
} from '../../../src/shared/packages/purl.js';

/** Examples of the types' own pages in package-url/purl-spec, and of real SBOMs. */
const examples: [string, PackageCoordinate][] = [
  ['pkg:npm/foobar@12.3.1', { ecosystem: 'npm', name: 'foobar', version: '12.3.1' }],
  ['pkg:npm/%40angular/animation@12.3.1', { ecosystem: 'npm', name: '@angular/animation', version: '12.3.1' }],
  ['pkg:pypi/django@1.11.1', { ecosystem: 'PyPI', name: 'django', version: '1.11.1' }],
  ['pkg:pypi/django-allauth@12.23', { ecosystem: 'PyPI', name: 'django-allauth', version: '12.23' }],
  [
    'pkg:golang/github.com/burntsushi/toml@v0.3.1',
    { ecosystem: 'Go', name: 'github.com/burntsushi/toml', version: 'v0.3.1' },
  ],
  ['pkg:npm/JSONStream@1.3.5', { ecosystem: 'npm', name: 'JSONStream', version: '1.3.5' }],
  ['pkg:pypi/zope.interface@5.4.0', { ecosystem: 'PyPI', name: 'zope.interface', version: '5.4.0' }],
  ['pkg:golang/stdlib@1.20.1', { ecosystem: 'Go', name: 'stdlib', version: '1.20.1' }],
  ['pkg:cargo/clap@2.33.0', { ecosystem: 'crates.io', name: 'clap', version: '2.33.0' }],
  [
    'pkg:maven/org.apache.logging.log4j/log4j-core@2.13.2',
    { ecosystem: 'Maven', name: 'org.apache.logging.log4j:log4j-core', version: '2.13.2' },
  ],
  ['pkg:gem/jruby-launcher@1.1.2', { ecosystem: 'RubyGems', name: 'jruby-launcher', version: '1.1.2' }],
  [
    'pkg:nuget/EnterpriseLibrary.Common@6.0.1304',
    { ecosystem: 'NuGet', name: 'EnterpriseLibrary.Common', version: '6.0.1304' },
  ],
  ['pkg:composer/laravel/laravel@5.5.0', { ecosystem: 'Packagist', name: 'laravel/laravel', version: '5.5.0' }],
  ['pkg:npm/lodash', { ecosystem: 'npm', name: 'lodash', version: null }],
];

describe('a package URL', () => {
  test.each(examples)('%s names its package, and is printed again', (text, coordinate) => {
    expect(parsePurl(text)).toEqual(coordinate);
    expect(printPurl(coordinate)).toBe(text);
  });

  test.each([
    ['its scheme and type know no case', 'PKG:NPM/lodash@1.0.0', 'lodash', '1.0.0'],
    ['slashes after the scheme do not count', 'pkg://npm/lodash@1.0.0', 'lodash', '1.0.0'],
    ['qualifiers and subpath do not count', 'pkg:npm/lodash@1.0.0?arch=x@2#a/b@3', 'lodash', '1.0.0'],
    ['a scope may keep its @', 'pkg:npm/@babel/core@7.0.0', '@babel/core', '7.0.0'],
    ['a scope without a version', 'pkg:npm/@babel/core', '@babel/core', null],
    ['an encoded slash separates', 'pkg:npm/%40babel%2Fcore@7.0.0', '@babel/core', '7.0.0'],
    ['a plus sign is no space', 'pkg:npm/lodash@1.0.0+build.5', 'lodash', '1.0.0+build.5'],
    ['a version may hold encoded slashes', 'pkg:npm/lodash@1.0.0-a%2Fb', 'lodash', '1.0.0-a/b'],
  ])('%s', (_, text, name, version) => {
    expect(parsePurl(text)).toEqual({ ecosystem: 'npm', name, version });
  });

  test.each([
    ['PyPI', 'Django_Package', 'pkg:pypi/Django_Package@1.0', 'pkg:pypi/django-package@1.0', 'django-package'],
    [
      'Packagist',
      'Laravel/Laravel',
      'pkg:composer/Laravel/Laravel@1.0',
      'pkg:composer/laravel/laravel@1.0',
      'laravel/laravel',
    ],
    [
      'Go',
      'github.com/Masterminds/goutils',
      'pkg:golang/github.com/Masterminds/goutils@1.0',
      'pkg:golang/github.com/masterminds/goutils@1.0',
      'github.com/masterminds/goutils',
    ],
  ] as const)('of %s is canonical, printed and read: %s', (ecosystem, name, written, canonical, canonicalName) => {
    expect(printPurl({ ecosystem, name, version: '1.0' })).toBe(canonical);
    expect(parsePurl(written)).toEqual({ ecosystem, name: canonicalName, version: '1.0' });
  });

  test('finds its package in any case that its registry takes for the same', () => {
    const same: Readonly<Record<Ecosystem, readonly string[]>> = {
      npm: ['lodash'],
      PyPI: ['ruamel.yaml', 'Ruamel_YAML', 'RUAMEL-yaml'],
      Go: ['github.com/Masterminds/goutils', 'github.com/masterminds/goutils', 'GitHub.com/MASTERMINDS/goutils'],
      'crates.io': ['serde_json', 'Serde-JSON', 'serde-json'],
      Maven: ['org.example:Artifact'],
      RubyGems: ['RedCloth'],
      NuGet: ['Newtonsoft.Json', 'newtonsoft.JSON'],
      Packagist: ['Symfony/HTTP-Kernel', 'symfony/http-kernel'],
    };
    for (const ecosystem of ecosystems) {
      const keys = same[ecosystem].flatMap((name) => {
        const read = parsePurl(printPurl({ ecosystem, name, version: '1.0.0' }));
        return [normaliseName(ecosystem, name), normaliseName(ecosystem, read?.name ?? '')];
      });
      expect(new Set(keys).size, keys.join(' ')).toBe(1);
    }
  });

  test('with malformed qualifiers is refused, but read where a tool wrote it into a document', () => {
    const coordinate = { ecosystem: 'RubyGems', name: 'jruby-launcher', version: '1.1.2' };
    for (const qualifiers of ['?in%20production=true', '?arch', '?=x', '?a=1&&b=2']) {
      expect(parsePurl(`pkg:gem/jruby-launcher@1.1.2${qualifiers}`)).toBeNull();
      expect(readPurl(`pkg:gem/jruby-launcher@1.1.2${qualifiers}`)).toEqual(coordinate);
    }
    for (const qualifiers of ['', '?', '?platform=java', '?Platform=java', '?a=&b.c=1?2', '#Sub?path']) {
      expect(parsePurl(`pkg:gem/jruby-launcher@1.1.2${qualifiers}`)).toEqual(coordinate);
    }
  });

  test.each([
    '',
    'lodash',
    'pkg:',
    'pkg:npm',
    'pkg:npm/',
    'pkg:npm/@1.0.0',
    'pkg:npm/lodash@',
    'pkg:npm/a/b@1.0.0',
    'pkg:npm/@scope@1.0.0',
    'pkg:npm/@/name@1.0.0',
    'pkg:npm/%40scope/%40name@1.0.0',
    'pkg:npm/lo%ZZdash@1.0.0',
    'pkg:npm/lodash@1.0%ff',
    'pkg:npm/lodash@1.0.0%00',
    'pkg:npm/lodash%0a@1.0.0',
    'pkg:npm/lo dash@1.0.0',
    'pkg:npm/..@1.0.0',
    'pkg:golang/github.com/../../etc/passwd@v1.0.0',
    'pkg:golang/github.com/%2e%2e/passwd@v1.0.0',
    'pkg:golang/github.com/a@b/c@v1.0.0',
    'pkg:maven/log4j-core@2.13.2',
    'pkg:maven/a:b/c@1',
    'pkg:maven/a/b/c@1',
    'pkg:composer/laravel@5.5.0',
    'pkg:pypi/namespace/django@1.0',
    'pkg:cargo/namespace/clap@1.0.0',
    'pkg:gem/namespace/rails@1.0',
    'pkg:nuget/namespace/json@1.0',
    'pkg:deb/debian/curl@7.50.3-1',
    'pkg:toString/lodash@1.0.0',
    'pkg:__proto__/lodash@1.0.0',
    `pkg:npm/${'a'.repeat(257)}@1.0.0`,
    `pkg:npm/lodash@${'1'.repeat(257)}`,
    `pkg:npm/lodash@1.0.0?${'a'.repeat(1024)}`,
  ])('%j is refused', (text) => {
    expect(parsePurl(text)).toBeNull();
  });

  test('has a type, known or not', () => {
    expect(purlType('pkg:DEB/debian/curl@7.50.3-1')).toBe('deb');
    expect(purlType('curl')).toBeNull();
  });

  test('comes back as it was printed, whatever the name and the version hold', () => {
    const part = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 40 })
      .filter((text) => /^[^\s\p{Cc}\p{Cs}/@:]+$/u.test(text) && text !== '.' && text !== '..');
    const version = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 40 })
      .filter((text) => /^[^\s\p{Cc}\p{Cs}]+$/u.test(text));
    const lower = part.map((text) => text.toLowerCase()).filter((text) => text === text.toLowerCase());
    const names = {
      npm: fc.oneof(
        part,
        fc.tuple(part, part).map(([scope, name]) => `@${scope}/${name}`),
      ),
      PyPI: lower.map((text) => text.replaceAll('_', '-')),
      Go: fc.array(lower, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
      'crates.io': part,
      Maven: fc.tuple(part, part).map(([group, artifact]) => `${group}:${artifact}`),
      RubyGems: part,
      NuGet: part,
      Packagist: fc.tuple(lower, lower).map((parts) => parts.join('/')),
    };
    const coordinate = fc
      .constantFrom(...ecosystems)
      .chain((ecosystem) =>
        fc.record({ ecosystem: fc.constant(ecosystem), name: names[ecosystem], version: fc.option(version) }),
      )
      .filter((each) => printPurl(each).length <= 1024);
    fc.assert(
      fc.property(coordinate, (each) => {
        expect(parsePurl(printPurl(each))).toEqual(each);
      }),
    );
  });

  test('never throws and never hangs on arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const candidate of [text, `pkg:npm/${text}`, `pkg:golang/${text}`]) {
          const read = parsePurl(candidate);
          if (read !== null) expect(read.name).toMatch(/^[^\s\p{Cc}]{1,256}$/u);
        }
      }),
    );
  });
});
