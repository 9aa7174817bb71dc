import { describe, expect, test } from 'vitest';
import { placeUrl } from '../../../../src/web/components/code-link/repo-url.js';

const place = { file: 'src/a b.ts', line: 12 };

describe('the address of a line in a repository', () => {
  test.each([
    ['https://github.com/acme/shop.git', 'https://github.com/acme/shop/blob/HEAD/src/a%20b.ts#L12'],
    ['https://www.github.com/acme/shop/', 'https://github.com/acme/shop/blob/HEAD/src/a%20b.ts#L12'],
    ['https://gitlab.com/acme/team/shop', 'https://gitlab.com/acme/team/shop/-/blob/HEAD/src/a%20b.ts#L12'],
    ['http://bitbucket.org/acme/shop', 'https://bitbucket.org/acme/shop/src/HEAD/src/a%20b.ts#lines-12'],
  ])('%s', (repo, url) => {
    expect(placeUrl(repo, place)).toBe(url);
  });

  test('is the file where the line is not known', () => {
    expect(placeUrl('https://github.com/a/b', { file: 'x.ts', line: null })).toBe(
      'https://github.com/a/b/blob/HEAD/x.ts',
    );
  });

  test.each([
    [null, 'a.ts'],
    ['https://git.example.com/acme/shop', 'a.ts'],
    ['javascript:alert(1)', 'a.ts'],
    ['https://github.com.evil.example/acme/shop', 'a.ts'],
    ['https://github.com/acme/shop', '../../other/secret'],
    ['https://github.com/acme/shop', '/etc/passwd'],
    ['not a url', 'a.ts'],
  ])('is none for %s and %s', (repo, file) => {
    expect(placeUrl(repo, { file, line: 1 })).toBeNull();
  });
});
