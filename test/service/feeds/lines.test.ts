import { expect, test } from 'vitest';
import { readLines } from '../../../src/service/feeds/lines.js';
import { readAll } from './feed-files.js';

async function* chunks(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 2, 3, 7, 1000])('the same lines come out of chunks of %i bytes', async (size) => {
  const lines = await readAll(readLines(chunks('\ufeffeins\r\n\nzwölf\nlast', size), 100));
  expect(lines).toEqual([
    { number: 1, text: 'eins' },
    { number: 2, text: '' },
    { number: 3, text: 'zwölf' },
    { number: 4, text: 'last' },
  ]);
});

test('a line feed at the end begins no line', async () => {
  expect(await readAll(readLines(chunks('a\nb\n', 3), 100))).toHaveLength(2);
});

test.each([1, 4, 1000])(
  'a line that is too long is reported, and the next one is read (chunks of %i)',
  async (size) => {
    const lines = await readAll(readLines(chunks(`12345678\n${'x'.repeat(9)}\nok`, size), 8));
    expect(lines).toEqual([
      { number: 1, text: '12345678' },
      { number: 2, text: null },
      { number: 3, text: 'ok' },
    ]);
  },
);
