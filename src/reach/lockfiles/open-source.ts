import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, relative } from 'node:path';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { LockfileError, type Source } from './source.js';

/** Bytes; the largest lock file that we know of has a tenth. */
export const maxLockfileBytes = 100 * 1024 * 1024;

/**
 * The file at a path, null where there is none. Relative paths are read from its folder, and never from outside of
 * `boundary`, which is that folder too where none is given.
 */
export async function openSource(file: string, boundary = dirname(file)): Promise<Source | null> {
  return open(file, dirname(file), boundary);
}

async function open(file: string, folder: string, boundary: string): Promise<Source | null> {
  const bytes = await readBytes(file);
  if (bytes === null) return null;
  return toSource(file, bytes, {
    async readRelative(path) {
      const absolute = join(folder, path);
      const inBoundary = relative(boundary, absolute);
      return /^\.\.(?:$|[\\/])/.test(inBoundary) || isAbsolute(inBoundary) ? null : open(absolute, folder, boundary);
    },
    foldersWith: (name, maxDepth) => foldersWith(folder, name, maxDepth),
  });
}

async function foldersWith(root: string, name: string, maxDepth: number): Promise<string[]> {
  const found: string[] = [];
  const waiting = [{ folder: '', depth: 0 }];
  for (const { folder, depth } of waiting) {
    // A folder that cannot be read has nothing that could be.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    if (folder !== '' && entries.some((entry) => entry.name === name)) found.push(folder);
    if (depth === maxDepth) continue;
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      waiting.push({ folder: posix.join(folder, entry.name), depth: depth + 1 });
    }
  }
  return found.sort();
}

/** What of a file's folder can be read. */
export type Surroundings = Pick<Source, 'readRelative' | 'foldersWith'>;

/** A file whose bytes are read already: UTF-8, with or without a byte order mark, or UTF-16 with one. */
export function toSource(file: string, bytes: Buffer, around: Surroundings): Source {
  const encoding = encodingOf(bytes);
  if (encoding === null) throw new LockfileError(file, 'is not UTF-8 text');
  return { file, text: new TextDecoder(encoding).decode(bytes), ...around };
}

/** PowerShell writes UTF-16 where a command's output is sent to a file with `>`. */
function encodingOf(bytes: Buffer): string | null {
  const mark = bytes.length % 2 === 0 ? bytes.toString('hex', 0, 2) : '';
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : null;
}

async function readBytes(path: string): Promise<Buffer | null> {
  try {
    // Asked before the file is opened: opening a pipe would wait for its writer.
    const status = await stat(path);
    const { size } = status;
    if (!status.isFile()) throw new LockfileError(path, 'is not a file');
    if (size > maxLockfileBytes) {
      throw new LockfileError(path, `has ${size} bytes; expected at most ${maxLockfileBytes}`);
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof LockfileError) throw error;
    const code = codeOfError(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new LockfileError(path, `cannot be read (${code ?? 'unknown error'})`);
  }
}
