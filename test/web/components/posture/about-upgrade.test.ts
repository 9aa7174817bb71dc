import { expect, test } from 'vitest';
import { aboutUpgrade } from '../../../../src/web/components/posture/about-upgrade.js';

type Facts = Parameters<typeof aboutUpgrade>[0];

const upgrade = (facts: Partial<Facts> = {}): Facts => ({
  package: 'qs',
  steps: [{ from: '6.5.2', to: '6.5.3', status: 'published', direct: 'itself' }],
  more: 0,
  scope: 'runtime',
  closes: 1,
  leaves: 0,
  ...facts,
});

test.each<[string, Partial<Facts>]>([
  ['', {}],
  [', closes 3 findings', { closes: 3 }],
  [', closes 3 findings, leaves 2 open', { closes: 3, leaves: 2 }],
  [
    ', brought by request@2.88.0',
    { steps: [{ from: '6.5.2', to: '6.5.3', status: 'published', direct: 'pkg:npm/request@2.88.0' }] },
  ],
  [', if it was published', { steps: [{ from: '6.5.2', to: '6.5.3', status: 'unverified', direct: 'itself' }] }],
  [
    ', which its scanners name as fixed, in the base image',
    { scope: 'base_image', steps: [{ from: '1', to: '2', status: null, direct: null }] },
  ],
  [
    ', 2 more versions, none is known for 1.0.0, brought by a@1.0.0 and @b/c@2.0.0',
    {
      more: 2,
      steps: [
        { from: '6.5.2', to: '6.5.3', status: 'published', direct: 'pkg:npm/a@1.0.0' },
        { from: '6.5.1', to: '6.5.3', status: 'published', direct: 'pkg:npm/a@1.0.0' },
        { from: '1.0.0', to: null, status: null, direct: 'pkg:npm/%40b/c@2.0.0' },
      ],
    },
  ],
])('an upgrade is said to be “%s”', (words, facts) => {
  expect(aboutUpgrade(upgrade(facts))).toBe(words);
});
