import { expect, test } from 'vitest';
import { purlName } from '../../../../../src/web/pages/alerts/detail/purl-name.js';

test.each([
  ['pkg:npm/%40scope/name@1.0.0', '@scope/name 1.0.0'],
  ['pkg:maven/org.a/b@2.0?type=jar#x', 'org.a/b 2.0'],
  ['pkg:npm/lodash', 'lodash'],
  ['pkg:npm/a%zz@1', 'a%zz 1'],
  ['lodash', 'lodash'],
])('%s is %s', (purl, name) => {
  expect(purlName(purl)).toBe(name);
});
