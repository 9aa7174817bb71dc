import { describe, expect, test } from 'vitest';
import { startProgress } from '../../../src/reach/commands/progress.js';

function started(interactive: boolean) {
  const written: string[] = [];
  const clock = { time: 0 };
  const progress = startProgress({
    env: {},
    version: '9.8.7',
    stdout: () => expect.unreachable('progress is no result'),
    stderr: (text) => written.push(text),
    interactive,
    now: () => clock.time,
  });
  return { progress, written, clock };
}

describe('progress', () => {
  test('on a terminal is one line that each step replaces and the end removes', () => {
    const { progress, written } = started(true);
    progress.show('walking the tree');
    progress.show('reading lock files');
    progress.end();
    expect(written).toEqual([
      '\r\x1b[2Kreach: walking the tree …',
      '\r\x1b[2Kreach: reading lock files …',
      '\r\x1b[2K',
    ]);
  });

  test('in a log is one line every five seconds, with the newest step', () => {
    const { progress, written, clock } = started(false);
    for (const [time, step] of [
      [1000, 'walking the tree'],
      [4999, 'reading files: 10, 3 a second'],
      [5000, 'reading files: 20, 4 a second'],
      [9999, 'reading files: 30, 4 a second'],
      [12_000, 'uploading the report'],
    ] as const) {
      clock.time = time;
      progress.show(step);
    }
    progress.end();
    expect(written).toEqual(['reach: reading files: 20, 4 a second (5 s)\n', 'reach: uploading the report (12 s)\n']);
  });

  test('in a log of a short run is nothing', () => {
    const { progress, written, clock } = started(false);
    clock.time = 4000;
    progress.show('walking the tree');
    progress.end();
    expect(written).toEqual([]);
  });
});
