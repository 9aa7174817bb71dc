import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { TextPiece } from '../languages/source-tree.js';
import { readingFlags } from './text-file.js';

/** Characters of the longest word that a search looks for; names in registries are shorter (npm: 214). */
export const longestWord = 512;

const pieceBytes = 1024 * 1024;

/**
 * Reads a file of any content as text, piece by piece: one piece is in memory at a time. Bytes that are no UTF-8 become
 * replacement characters; NULs are dropped, so that names in UTF-16 can be found too.
 *
 * @param take gives false to end the reading
 * @returns false where the file is gone, not regular, larger than `maxBytes` or not to be read, or was not read to its end
 */
export function readPieces(path: string, maxBytes: number, take: (piece: TextPiece) => boolean): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, readingFlags);
  } catch {
    return false;
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile() || status.size > maxBytes) return false;
    const decoder = new TextDecoder();
    const bytes = Buffer.allocUnsafe(Math.min(pieceBytes, status.size));
    let before = '';
    for (let left = status.size; left > 0; ) {
      const read = readSync(descriptor, bytes, 0, Math.min(bytes.length, left), null);
      left = read === 0 ? 0 : left - read;
      const text = before + decoder.decode(bytes.subarray(0, read), { stream: left > 0 }).replaceAll('\0', '');
      const end = left > 0 ? Math.max(0, text.length - longestWord) : text.length;
      if (!take({ text, end })) return false;
      before = text.slice(end);
    }
    return true;
  } catch {
    return false;
  } finally {
    closeSync(descriptor);
  }
}
