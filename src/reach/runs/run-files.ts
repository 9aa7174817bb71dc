import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { readFolder, readingFlags } from '../analysis/text-file.js';

/** Limits of a folder of recorded runs. A run of a large test suite leaves some thousand files of 50 MB. */
export const runLimits = { files: 20_000, fileBytes: 1024 * 1024 * 1024, bytes: 16 * 1024 * 1024 * 1024, depth: 4 };

export interface RunFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}

/** The regular files of a folder that recordings may be, in the order of their paths; null where it is no folder that can be read. */
export function runFilesIn(folder: string): readonly RunFile[] | null {
  const files: RunFile[] = [];
  const walk = (path: string, depth: number): boolean => {
    const children = readFolder(path);
    if (children === null) return false;
    for (const child of children) {
      if (files.length >= runLimits.files) break;
      const inner = join(path, child.name);
      if (child.isDirectory() && depth < runLimits.depth) walk(inner, depth + 1);
      else if (child.isFile() && /\.(?:json|txt|log|err|out)$|^[^.]+$/.test(child.name)) {
        files.push({ path: inner, bytes: lstatSync(inner, { throwIfNoEntry: false })?.size ?? 0 });
      }
    }
    return true;
  };
  return walk(folder, 0) ? files : null;
}

const pieceBytes = 4 * 1024 * 1024;

/**
 * Passes a file on in pieces of text. Each begins with the last `overlap` characters of the one before, so that what is
 * shorter lies wholly in a piece. `take` ends the reading with `false`.
 *
 * @returns whether the file could be read
 */
export async function readInPieces(path: string, overlap: number, take: (piece: string) => boolean): Promise<boolean> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, readingFlags);
    if (!fstatSync(descriptor).isFile()) return false;
    const buffer = Buffer.allocUnsafe(pieceBytes);
    let before = '';
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      // What is looked for is ASCII, and Latin-1 keeps every byte of it at its place.
      const piece = before + buffer.toString('latin1', 0, read);
      if (!take(piece)) return true;
      before = piece.slice(-overlap);
      await nextMacrotask();
    }
    return true;
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
