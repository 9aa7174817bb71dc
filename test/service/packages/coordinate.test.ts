import { describe, expect, test } from 'vitest';
import { readCoordinate } from '../../../src/service/packages/coordinate.js';

describe('a named package', () => {
  test('is read from its parts or from its package URL alike', () => {
    const expected = { ecosystem: 'npm', name: 'lodash', version: '4.17.21' };
    expect(readCoordinate({ purl: 'pkg:npm/lodash@4.17.21' })).toEqual(expected);
    expect(readCoordinate({ ecosystem: 'npm', name: 'lodash', version: '4.17.21' })).toEqual(expected);
  });

  test.each([
    ['pkg:golang/stdlib@go1.19.0', '1.19.0'],
    ['pkg:golang/toolchain@go1.21rc2', '1.21.0-rc.2'],
    ['pkg:golang/stdlib@1.22.3', '1.22.3'],
    ['pkg:golang/net/http@go1.22.3', '1.22.3'],
  ])('is a release of Go with and without the letters: %s', (purl, version) => {
    expect(readCoordinate({ purl })).toMatchObject({ ecosystem: 'Go', version });
    expect(readCoordinate({ purl: 'pkg:golang/example.org/a@go1.19.0' })).toMatchObject({ reason: 'not_a_version' });
  });

  test('is Go’s standard library under the name that CycloneDX’s tools give it', () => {
    expect(readCoordinate({ purl: 'pkg:golang/std@1.22.3' })).toMatchObject({ name: 'stdlib', version: '1.22.3' });
  });

  test.each([
    ['another ecosystem', { purl: 'pkg:deb/debian/curl@7.50.3-1' }, { field: 'purl', reason: 'purl_type' }],
    ['no package URL', { purl: 'lodash@1.0.0' }, { field: 'purl', reason: 'not_a_purl' }],
    [
      'an npm scope without its @',
      { purl: 'pkg:npm/angular/core@1.0.0' },
      { field: 'purl', reason: 'scope_without_at' },
    ],
    [
      'an npm scope without its @, encoded as one name',
      { purl: 'pkg:npm/angular%2Fcore@1.0.0' },
      { field: 'purl', reason: 'scope_without_at' },
    ],
    ['no version in the package URL', { purl: 'pkg:pypi/Django' }, { field: 'purl', reason: 'purl_version' }],
    [
      'the name of a Maven artifact as Maven writes it',
      { purl: 'pkg:maven/org.a:b@1.0' },
      { field: 'purl', reason: 'purl_name' },
    ],
    [
      'a Composer package without its vendor',
      { purl: 'pkg:composer/monolog@1.0' },
      { field: 'purl', reason: 'purl_name' },
    ],
    ['a group where the type has none', { purl: 'pkg:pypi/a/b@1.0' }, { field: 'purl', reason: 'purl_name' }],
    [
      'a version npm would not take, in a package URL',
      { purl: 'pkg:npm/lodash@latest' },
      { field: 'purl', reason: 'not_a_version' },
    ],
    [
      'a version npm would not take, by itself',
      { ecosystem: 'npm' as const, name: 'lodash', version: 'latest' },
      { field: 'version', reason: 'not_a_version' },
    ],
  ])('with %s is refused by field', (_, named, fault) => {
    expect(readCoordinate(named)).toEqual(fault);
  });

  test.each(['${spring.version}', '${a}-1.0', '@version@', '[1.0,2.0)', 'LATEST'])(
    'has no version where Maven writes %s, which it resolves to one',
    (version) => {
      const fault = { field: 'version', reason: 'not_a_version' };
      expect(readCoordinate({ ecosystem: 'Maven', name: 'org.a:b', version })).toEqual(fault);
    },
  );
});
