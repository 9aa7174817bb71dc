import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ecosystems } from '../../../src/shared/packages/ecosystem.js';
import { type PackageCoordinate, parsePurl, printPurl, purlType } from '../../../src/shared/packages/purl.js';

/** Examples of the types' own pages in package-url/purl-spec, and of real SBOMs. */
const examples: [string, PackageCoordinate][] = [
  ['pkg:npm/foobar@12.3.1', { ecosystem: 'npm', name: 'foobar', version: '12.3.1' }],
  ['pkg:npm/%40angular/animation@12.3.1', { ecosystem: 'npm', name: '@angular/animation', version: '12.3.1' }],
  ['pkg:pypi/django@1.11.1', { ecosystem: 'PyPI', name: 'django', version: '1.11.1' }],
  ['pkg:pypi/django-allauth@12.23', { ecosystem: 'PyPI', name: 'django-allauth', version: '12.23' }],
  [
    'pkg:golang/github.com/BurntSushi/toml@v0.3.1',
    { ecosystem: 'Go', name: 'github.com/BurntSushi/toml', version: 'v0.3.1' },
  ],
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

  test('is canonical when printed: PyPI in lower case with dashes, Composer in lower case', () => {
    expect(printPurl({ ecosystem: 'PyPI', name: 'Django_Package', version: '1.0' })).toBe(
      'pkg:pypi/django-package@1.0',
    );
    expect(printPurl({ ecosystem: 'Packagist', name: 'Laravel/Laravel', version: null })).toBe(
      'pkg:composer/laravel/laravel',
    );
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
      Go: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
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
