import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maxWordLength, readPieces } from '../../../src/reach/analysis/text-pieces.js';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import type { TextPiece } from '../../../src/reach/languages/source-tree.js';
import { folderWith } from '../folder.js';

function piecesOf(content: string | Buffer, maxBytes = 2 ** 30): TextPiece[] | null {
  const path = join(folderWith({}), 'a');
  writeFileSync(path, content);
  const pieces: TextPiece[] = [];
  return readPieces(path, maxBytes, (piece) => pieces.push(piece) > 0) ? pieces : null;
}

const joined = (pieces: readonly TextPiece[] | null) =>
  (pieces ?? []).map(({ text, end }) => text.slice(0, end)).join('');

describe('a file in pieces', () => {
  test('is all of it, with each character once', () => {
    const text = Array.from({ length: 400_000 }, (_, number) => `é${number}`).join('\n');
    const pieces = piecesOf(text);
    expect(pieces?.length).toBeGreaterThan(2);
    expect(joined(pieces) === text).toBe(true);
  });

  test('every word of the greatest length is whole in the piece in which it begins', () => {
    const [first] = piecesOf('x'.repeat(3_000_000)) ?? [];
    expect((first?.text.length ?? 0) - (first?.end ?? 0)).toBe(maxWordLength);
  });

  test('may be in UTF-16, or none at all', () => {
    expect(joined(piecesOf(Buffer.from('require("ä")', 'utf16le')))).toContain('require("');
    expect(joined(piecesOf(Buffer.from([0, 1, 0xff, 0x22, 0x61])))).toBe('\u0001\uFFFD"a');
    expect(piecesOf('')).toEqual([]);
  });

  test('is not shown where it is too large, gone or a folder', () => {
    expect(piecesOf('12345', 4)).toBeNull();
    expect(readPieces(join(folderWith({}), 'none'), 10, () => true)).toBe(false);
    expect(readPieces(folderWith({}), 2 ** 30, () => true)).toBe(false);
  });

  test('can be left before its end', () => {
    const path = join(folderWith({ a: 'text' }), 'a');
    expect(readPieces(path, 10, () => false)).toBe(false);
  });
});

test('a tree lets files be searched up to a size each, and up to a size together', async () => {
  const root = folderWith({ 'a.js': '1234', 'b.js': '1234', 'c.js': '12345', 'd.js': '1' });
  const tree = await walkTree(root, { maxSearchedFileBytes: 4, maxSearchedBytes: 8 });
  const isSearched = (path: string) => tree.search(path, () => true);
  expect(['a.js', 'c.js', 'b.js', 'd.js', 'none.js'].map(isSearched)).toEqual([true, false, true, false, false]);
});
