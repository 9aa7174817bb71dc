import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { LockfileError, type Source } from './source.js';

/** The file at a path, null where there is none. Relative paths are read from its folder, never from above it. */
export async function openSource(file: string, folder = dirname(file)): Promise<Source | null> {
  const text = await readText(file);
  if (text === null) return null;
  return {
    file,
    text,
    readRelative: async (path) => {
      const place = join(folder, path);
      const fromFolder = relative(folder, place);
      return fromFolder.startsWith('..') || isAbsolute(fromFolder) ? null : openSource(place, folder);
    },
  };
}

/** A hundred megabytes; the largest lock file that we know of has ten. */
const maxBytes = 100 * 1024 * 1024;

/** The text of a UTF-8 file without its byte order mark; null where there is no such file. */
async function readText(path: string): Promise<string | null> {
  try {
    // Asked before the file is opened: opening a pipe would wait for its writer.
    const status = await stat(path);
    if (!status.isFile()) throw new LockfileError(path, 'is not a file');
    if (status.size > maxBytes) throw new LockfileError(path, `has ${status.size} bytes; expected at most ${maxBytes}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof LockfileError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new LockfileError(path, 'is not UTF-8 text');
    throw new LockfileError(path, `cannot be read (${String(code ?? 'unknown error')})`);
  }
}
