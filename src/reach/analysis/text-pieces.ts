import { readSync } from 'node:fs';
import type { TextPiece } from '../languages/source-tree.js';
import { openRegular } from './text-file.js';

/** Characters of a word that a search can find; names in registries are shorter (npm: 214). */
export const maxWordLength = 512;

const pieceBytes = 1024 * 1024;

/**
 * Reads any file as text, one piece in memory at a time. Bytes that are not UTF-8 become replacement characters. NULs are
 * dropped, so that names in UTF-16 are found too.
 *
 * @param take returns false to end the reading
 * @returns whether the file was read to its end: not where it is gone, not regular, unreadable or larger than `maxBytes`
 */
export function readPieces(path: string, maxBytes: number, take: (piece: TextPiece) => boolean): boolean {
  const isRead = openRegular(path, maxBytes, (descriptor, size) => {
    const decoder = new TextDecoder();
    const bytes = Buffer.allocUnsafe(Math.min(pieceBytes, size));
    let before = '';
    for (let left = size; left > 0; ) {
      const read = readSync(descriptor, bytes, 0, Math.min(bytes.length, left), null);
      left = read === 0 ? 0 : left - read;
      const text = before + decoder.decode(bytes.subarray(0, read), { stream: left > 0 }).replaceAll('\0', '');
      const end = left > 0 ? Math.max(0, text.length - maxWordLength) : text.length;
      if (!take({ text, end })) return false;
      before = text.slice(end);
    }
    return true;
  });
  return isRead ?? false;
}
