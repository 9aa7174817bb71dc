import { expect, test } from 'vitest';
import { packageText } from '../../../../src/web/components/posture/package-text.js';

test('a package URL is written as people write packages', () => {
  expect(packageText('pkg:npm/lodash@4.17.11')).toBe('lodash@4.17.11');
  expect(packageText('pkg:npm/%40babel/core@7.0.0?x=1')).toBe('@babel/core@7.0.0');
});

test('what is no package URL, or was cut, stays readable', () => {
  expect(packageText('libc6@2.31')).toBe('libc6@2.31');
  expect(packageText('pkg:npm/%40babel%2')).toBe('%40babel%2');
});
