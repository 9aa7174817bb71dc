import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A link put where a file was is not followed, and a pipe does not make the reader wait. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Control characters that no text has: all but tab, line ends, form feed and escape. */
const isBinary = (byte: number) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27);

/**
 * The text of a regular file of at most `maxBytes`, without a byte order mark; null where it is binary, larger, gone or not
 * to be read. Text that is not UTF-8 is taken as Latin-1: in old sources that is a comment or a string, not an import.
 */
export function readText(path: string, maxBytes: number): string | null {
  const bytes = readBytes(path, maxBytes);
  if (bytes === null || bytes.includes(0)) return null;
  if (isUtf8(bytes)) {
    const text = bytes.toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }
  return bytes.some(isBinary) ? null : bytes.toString('latin1');
}

/** The bytes of a regular file of at most `maxBytes`; null where it is larger, gone or not to be read. */
export function readBytes(path: string, maxBytes: number): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch {
    return null;
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile() || status.size > maxBytes) return null;
    const bytes = Buffer.allocUnsafe(status.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
