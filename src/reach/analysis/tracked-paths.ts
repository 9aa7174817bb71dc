import { join } from 'node:path';
import { folderOf } from '../languages/tree-path.js';
import { readBytes } from './text-file.js';

/** Bytes of an index, and its entries, that are read: the largest repositories have a few hundred thousand. */
const maxBytes = 128 * 1024 * 1024;
const maxEntries = 500_000;

/** Bytes of an entry before its flags: the file's status, and its SHA-1 name. */
const headBytes = 60;

/** The files that git tracks in a tree, and all folders around them; paths are relative to the tree. */
export type TrackedPaths = ReadonlySet<string>;

/**
 * Reads what git tracks from the index, without running git. Empty where the tree is no root of a work tree, and where the
 * index is none that is known. Format: gitformat-index(5), versions 2 to 4.
 */
export function readTrackedPaths(root: string): TrackedPaths {
  const index = readBytes(join(root, '.git', 'index'), maxBytes);
  if (index === null || index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return new Set();
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4 || count > maxEntries) return new Set();
  const tracked = new Set<string>();
  let at = 12;
  let before = '';
  for (let entry = 0; entry < count; entry++) {
    const start = at;
    at += headBytes;
    if (at + 2 > index.length) return new Set();
    const isExtended = version > 2 && (index.readUInt16BE(at) & 0x4000) !== 0;
    at += isExtended ? 4 : 2;
    let kept = '';
    if (version === 4) {
      const removed = readOffset(index, at);
      at = removed.next;
      kept = before.slice(0, Math.max(0, before.length - removed.value));
    }
    const end = index.indexOf(0, at);
    if (end === -1) return new Set();
    // Latin-1 keeps one character a byte, as the number of removed bytes counts.
    before = kept + index.toString('latin1', at, end);
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
    const path = Buffer.from(before, 'latin1').toString('utf8');
    for (let each = path; each !== '' && !tracked.has(each); each = folderOf(each)) tracked.add(each);
  }
  return tracked;
}

/** A number in seven bits a byte, as offsets in packs are written (gitformat-pack(5)). */
function readOffset(bytes: Buffer, at: number): { readonly value: number; readonly next: number } {
  let next = at;
  let byte = bytes[next++] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0 && next < at + 5) {
    byte = bytes[next++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next };
}
