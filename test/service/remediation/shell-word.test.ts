import { expect, test } from 'vitest';
import { isShellWord } from '../../../src/service/remediation/shell-word.js';

test.each(['lodash', '@babel/core', '~tilde', 'JSONStream', 'lodash.merge', '1.2.3-rc.1+build', '_'])(
  '%s is a word',
  (text) => {
    expect(isShellWord(text)).toBe(true);
  },
);

test.each([
  '',
  '-g',
  '--global',
  'a b',
  'a;b',
  '$(a)',
  '`a`',
  "a'b",
  'a|b',
  'a&b',
  'a>b',
  'a\nb',
  '!a',
  'a*',
  'a\\b',
  'a(b)',
])('%j is none, or more than a word', (text) => {
  expect(isShellWord(text)).toBe(false);
});
