import { expect, test } from 'vitest';
import { withHeartbeat } from '../../../src/reach/analysis/heartbeat.js';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { folderWith } from '../folder.js';

test('reading reports how many files were read and how fast, at most four times a second', async () => {
  const clock = { time: 1000 };
  const steps: string[] = [];
  const tree = withHeartbeat(
    await walkTree(folderWith({ 'a.js': 'one', 'b.js': 'two' })),
    (step) => steps.push(step),
    () => clock.time,
  );
  expect(tree.read('a.js')).toBe('one');
  for (let count = 0; count < 99; count++) {
    clock.time += 10;
    expect(tree.read('b.js')).toBe('two');
  }
  expect(tree.search('a.js', ({ text }) => text === 'one')).toBe(true);
  expect(steps).toEqual([
    'reading files: 26, 104 a second',
    'reading files: 51, 102 a second',
    'reading files: 76, 101 a second',
  ]);
});
