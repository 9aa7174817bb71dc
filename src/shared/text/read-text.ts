import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { codeOfError } from '../errors/code-of-error.js';

/** Bytes that are no text of a known encoding, or not of the compression that they begin with. */
export class TextFault extends Error {
  /** Decompressed, it is larger than the limit. */
  readonly tooLarge: boolean;

  /** @param what ends the sentence: `is not UTF-8` */
  constructor(what: string, tooLarge = false) {
    super(what);
    this.tooLarge = tooLarge;
  }
}

const decompress = promisify(gunzip);

/** Whether bytes are gzip's (RFC 1952, 2.3.1). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

interface Options {
  /** Bytes after decompression. */
  readonly maxBytes: number;
  /** As the sender names it (`charset` of a media type). */
  readonly charset?: string | undefined;
}

/**
 * The text of a file or body, without its byte order mark. It may be compressed by gzip. The encoding is that of the byte order
 * mark, else UTF-16 where every other byte at the start is zero (PowerShell's `>` writes it), else `charset`, else that of an
 * XML declaration, else UTF-8. Throws `TextFault`.
 */
export async function readText(bytes: Uint8Array, { maxBytes, charset }: Options): Promise<string> {
  const plain = isGzip(bytes) ? await gunzipWithin(bytes, maxBytes) : bytes;
  const encoding = markedEncodingOf(plain) ?? charset ?? declaredEncodingOf(plain) ?? 'utf-8';
  if (/^utf-?8$/i.test(encoding)) {
    if (!isUtf8(plain)) throw new TextFault('is not UTF-8');
    return new TextDecoder().decode(plain);
  }
  // In UTF-16 half a surrogate pair becomes U+FFFD, as in the rest of a report.
  return decode(plain, encoding, !/^utf-?16/i.test(encoding));
}

async function gunzipWithin(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOfError(error) !== 'ERR_BUFFER_TOO_LARGE') throw new TextFault('is broken gzip');
    throw new TextFault(`is larger than ${maxBytes / 1024 / 1024} MB when decompressed`, true);
  }
}

/** The encoding that the first bytes show: by a byte order mark, or as RFC 4627, section 3, does without one. */
function markedEncodingOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === undefined || second === undefined || (first === 0) === (second === 0)) return undefined;
  return first === 0 ? 'utf-16be' : 'utf-16le';
}

/** Bytes in which an XML declaration is searched for; comments may come before it. */
const maxPreface = 16 * 1024;

function declaredEncodingOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxPreface)).toString('latin1');
  if (!start.trimStart().startsWith('<')) return undefined;
  const declared = /<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start)?.[1];
  // The first bytes have shown that it is not UTF-16: the file was converted, its declaration was not.
  return declared === undefined || /^(?:utf|ucs|iso-10646-ucs)-?(?:16|2)/i.test(declared) ? undefined : declared;
}

function decode(bytes: Uint8Array, encoding: string, fatal: boolean): string {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch (error) {
    const isUnknown = error instanceof RangeError;
    throw new TextFault(
      isUnknown ? 'names an encoding that is not known: send UTF-8' : `is not ${encoding}, as it says`,
    );
  }
}
