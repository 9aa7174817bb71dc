import { expect, test } from 'vitest';
import { isInVersRange } from '../../../src/service/vex/vers.js';

test.each([
  ['vers:npm/*', '9.9.9', true],
  ['vers:all/*', '9.9.9', true],
  ['vers:npm/1.2.3', '1.2.3', true],
  ['vers:npm/1.2.3', '1.2.4', false],
  ['vers:npm/1.2.3|>=2.0.0|<5.0.0', '2.0.0', true],
  ['vers:npm/1.2.3|>=2.0.0|<5.0.0', '4.9.9', true],
  ['vers:npm/1.2.3|>=2.0.0|<5.0.0', '5.0.0', false],
  ['vers:npm/1.2.3|>=2.0.0|<5.0.0', '1.9.0', false],
  ['vers:semver/<1.5.0|>=7.0.0', '1.0.0', true],
  ['vers:semver/<1.5.0|>=7.0.0', '7.0.1', true],
  ['vers:semver/<1.5.0|>=7.0.0', '3.0.0', false],
  // Not in order, as in CycloneDX's own example.
  ['vers:semver/<7.0.0|>=1.5.0', '3.0.0', true],
  ['vers:semver/>=2.0.0|<=2.7.0|>=3.0.0|<=3.2.0', '2.8.0', false],
  ['vers:semver/>=2.0.0|<=2.7.0|>=3.0.0|<=3.2.0', '3.2.0', true],
  ['vers:npm/!=1.0.0', '1.0.0', false],
  ['vers:npm/!=1.0.0', '1.0.1', true],
  ['vers:npm/>1.0.0|!=1.5.0', '1.5.0', false],
  ['vers:npm/>1.0.0', '1.0.0', false],
] as const)('%s and %s: %s', (range, version, expected) => {
  expect(isInVersRange(range, 'npm', version)).toBe(expected);
});

test.each([
  '<4.2',
  'vers:deb/<4.2',
  'vers:npm/',
  'vers:npm/<%zz',
  'vers:npm/<not a version',
  `vers:npm/${'1|'.repeat(200)}`,
])('%s cannot be read, so nothing is known', (range) => {
  expect(isInVersRange(range, 'npm', '1.0.0')).toBeNull();
});

test('versions compare as their ecosystem’s do', () => {
  expect(isInVersRange('vers:pypi/1.0', 'PyPI', '1.0.0')).toBe(true);
  expect(isInVersRange('vers:maven/<2.0', 'Maven', '2.0-SNAPSHOT')).toBe(true);
});
