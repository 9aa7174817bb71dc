import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync } from 'node:fs';

/** Opens no link that replaced a file, and does not wait for the writer of a pipe. */
export const readingFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Control characters that text does not have: all but tab, line ends, form feed and escape. */
const isBinary = (byte: number) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27);

/** One buffer for all texts, as large as the largest of them: a buffer for each would cost time to free. */
let buffer = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * The text of a regular file of at most `maxBytes`, without a byte order mark; null where it is binary, larger, gone or
 * unreadable. Text that is not UTF-8 is read as Latin-1: in old sources that is a comment or a string, not an import.
 */
export function readText(path: string, maxBytes: number): string | null {
  const bytes = readInto(path, maxBytes, (size) => {
    if (size > buffer.length) buffer = Buffer.allocUnsafeSlow(size);
    return buffer;
  });
  if (bytes === null || bytes.includes(0)) return null;
  // The same text, ten times as fast.
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (isUtf8(bytes)) {
    const text = bytes.toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }
  return bytes.some(isBinary) ? null : bytes.toString('latin1');
}

/** The bytes of a regular file of at most `maxBytes`; null where it is larger, gone or unreadable. */
export function readBytes(path: string, maxBytes: number): Buffer | null {
  return readInto(path, maxBytes, Buffer.allocUnsafe);
}

function readInto(path: string, maxBytes: number, bufferOf: (size: number) => Buffer): Buffer | null {
  return openRegular(path, maxBytes, (descriptor, size) => {
    const bytes = bufferOf(size);
    let length = 0;
    while (length < size) {
      const read = readSync(descriptor, bytes, length, size - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  });
}

/** Opens a regular file of at most `maxBytes` for one use; null where it is larger, gone or unreadable. */
export function openRegular<T>(path: string, maxBytes: number, use: (descriptor: number, size: number) => T): T | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, readingFlags);
    const status = fstatSync(descriptor);
    return status.isFile() && status.size <= maxBytes ? use(descriptor, status.size) : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The entries of a folder in the order of their names; null where it is none that can be read. */
export function readFolder(path: string): Dirent[] | null {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return null;
  }
}
