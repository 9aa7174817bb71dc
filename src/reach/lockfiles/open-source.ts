import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { LockfileError, type Source } from './source.js';

/** Bytes; the largest lock file that we know of has a tenth. */
export const maxLockfileBytes = 100 * 1024 * 1024;

/** The file at a path, null where there is none. Relative paths are read from its folder, never from above it. */
export async function openSource(file: string, folder = dirname(file)): Promise<Source | null> {
  const bytes = await readBytes(file);
  if (bytes === null) return null;
  return toSource(file, bytes, async (path) => {
    const absolute = join(folder, path);
    const fromFolder = relative(folder, absolute);
    return fromFolder.startsWith('..') || isAbsolute(fromFolder) ? null : openSource(absolute, folder);
  });
}

/** A file whose bytes are read already: UTF-8, with or without a byte order mark. */
export function toSource(file: string, bytes: Buffer, readRelative: Source['readRelative']): Source {
  if (!isUtf8(bytes)) throw new LockfileError(file, 'is not UTF-8 text');
  return { file, text: new TextDecoder().decode(bytes), readRelative };
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
