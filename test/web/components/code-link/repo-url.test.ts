import { describe, expect, test } from 'vitest';
import { placeUrl, shortPath } from '../../../../src/web/components/code-link/repo-url.js';

const place = { file: 'src/a b.ts', line: 12 };

describe('a place in a repository', () => {
  test.each([
    ['https://github.com/acme/shop', 'https://github.com/acme/shop/blob/HEAD/src/a%20b.ts#L12'],
    ['https://www.github.com/acme/shop.git/', 'https://github.com/acme/shop/blob/HEAD/src/a%20b.ts#L12'],
    ['git@github.com:acme/shop.git', 'https://github.com/acme/shop/blob/HEAD/src/a%20b.ts#L12'],
    ['ssh://git@gitlab.com/acme/team/shop.git', 'https://gitlab.com/acme/team/shop/-/blob/HEAD/src/a%20b.ts#L12'],
    ['github.com/acme/shop', 'https://github.com/acme/shop/blob/HEAD/src/a%20b.ts#L12'],
    ['https://bitbucket.org/acme/shop', 'https://bitbucket.org/acme/shop/src/HEAD/src/a%20b.ts#lines-12'],
  ])('of %s has an address', (repo, url) => {
    expect(placeUrl(repo, place)).toBe(url);
  });

  test('without a line is the file', () => {
    expect(placeUrl('https://github.com/acme/shop', { file: './a.ts', line: null })).toBe(
      'https://github.com/acme/shop/blob/HEAD/a.ts',
    );
  });

  test.each([
    [null, 'a.ts'],
    ['https://git.example.com/acme/shop', 'a.ts'],
    ['javascript:alert(1)', 'a.ts'],
    ['file:///home/shop', 'a.ts'],
    ['/home/shop', 'a.ts'],
    ['https://github.com/acme/shop', '../other/a.ts'],
    ['https://github.com/acme/shop', '/etc/passwd'],
    ['https://github.com.evil.example/acme/shop', 'a.ts'],
    ['not a url', 'a.ts'],
  ])('of %s, %s has none', (repo, file) => {
    expect(placeUrl(repo, { file, line: 1 })).toBeNull();
  });
});

test('a long path is named by its last parts', () => {
  expect(shortPath('src/shop/search/find-products.ts')).toBe('…/search/find-products.ts');
  expect(shortPath('src/search/find.ts')).toBe('src/search/find.ts');
});
