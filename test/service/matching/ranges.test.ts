import { describe, expect, test } from 'vitest';
import { accepts } from '../../../src/service/matching/ranges.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';

/** Each range with versions that it takes, and versions that it does not. */
const table: readonly [Ecosystem, range: string, taken: readonly string[], refused: readonly string[]][] = [
  ['npm', '^1.2.3', ['1.2.3', '1.9.0'], ['1.2.2', '2.0.0', '1.9.0-rc.1']],
  ['npm', '~0.2.3', ['0.2.9'], ['0.3.0']],
  ['npm', '1.x || >=2.5.0 <3', ['1.0.0', '2.5.1'], ['2.4.9', '3.0.0']],
  ['npm', '*', ['0.0.1', '9.0.0'], ['9.0.0-beta']],
  ['crates.io', '1.2', ['1.2.0', '1.9.9'], ['1.1.9', '2.0.0']],
  ['crates.io', '0.4.1', ['0.4.9'], ['0.5.0', '0.4.0']],
  ['crates.io', '>=1, <1.5', ['1.0.0', '1.4.9'], ['1.5.0']],
  ['crates.io', '=1.0.3', ['1.0.3'], ['1.0.4']],
  ['PyPI', '>=1.0,<2.0', ['1.0', '1.9.9'], ['2.0', '0.9']],
  ['PyPI', '(>=1.0,!=1.3.*)', ['1.2', '1.4'], ['1.3', '1.3.5']],
  ['PyPI', '~=1.4.2', ['1.4.2', '1.4.9'], ['1.5', '1.4.1']],
  ['PyPI', '~=2.2', ['2.2', '2.9'], ['3.0']],
  ['PyPI', '^0.23.1', ['0.23.9'], ['0.24']],
  ['PyPI', '~1.2', ['1.2.7'], ['1.3']],
  ['PyPI', '==2.*', ['2.0', '2.31'], ['3.0', '1.9']],
  ['PyPI', '^1.0 || ^2.0', ['1.1', '2.5'], ['3.0']],
  ['RubyGems', '~> 4.2.0', ['4.2.11'], ['4.3.0', '5.0']],
  ['RubyGems', '~> 4.2', ['4.9'], ['5.0']],
  ['RubyGems', '>= 1.6.0, < 2', ['1.6.0', '1.99'], ['2.0', '1.5.9']],
  ['RubyGems', '= 5.2.3', ['5.2.3'], ['5.2.4']],
  ['Packagist', '^2.0 || ^3.0', ['2.1.0', '3.9'], ['4.0', '1.9']],
  ['Packagist', '~1.2', ['1.2.0', '1.9.0'], ['2.0.0']],
  ['Packagist', '~1.2.3', ['1.2.9'], ['1.3.0']],
  ['Packagist', '>=5.4 <7', ['5.4', '6.9'], ['7.0']],
  ['Packagist', '1.0.*', ['1.0.7'], ['1.1.0']],
];

describe('a range', () => {
  test.each(table)('%s %s', (ecosystem, range, taken, refused) => {
    expect(taken.map((version) => accepts(ecosystem, range, version))).toEqual(taken.map(() => true));
    expect(refused.map((version) => accepts(ecosystem, range, version))).toEqual(refused.map(() => false));
  });

  test.each<[Ecosystem, string]>([
    ['npm', 'latest'],
    ['npm', 'git+https://example.org/a.git'],
    ['npm', 'workspace:*'],
    ['npm', ''],
    ['npm', `>=${'1'.repeat(300)}`],
    ['PyPI', '@ git+https://example.org/a'],
    ['Packagist', 'dev-master'],
    ['Packagist', '1.0 - 2.0'],
    ['Go', 'v1.2.3'],
    ['Maven', '[1.0,2.0)'],
    ['NuGet', '[1.0, )'],
  ])('is not read: %s %s', (ecosystem, range) => {
    expect(accepts(ecosystem, range, '1.2.3')).toBeNull();
  });
});
