import { crc32 } from 'node:zlib';

/** A deflate block that is only stored holds at most so many bytes (RFC 1951, 3.2.4). */
const maxBlock = 0xffff;

/**
 * Bytes in the form of gzip, not compressed. What a compressor makes of the same bytes depends on its version, and lock files
 * remember a digest: so a new Node on the server must not change the file.
 */
export function storedGzip(bytes: Uint8Array): Buffer {
  // Deflate, no flags, no time, no hint of compression, no system (RFC 1952, 2.3).
  const parts: Uint8Array[] = [Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)];
  let at = 0;
  do {
    const block = bytes.subarray(at, at + maxBlock);
    at += maxBlock;
    const head = Buffer.alloc(5);
    head.writeUInt8(at >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(maxBlock - block.length, 3);
    parts.push(head, block);
  } while (at < bytes.length);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length % 2 ** 32, 4);
  return Buffer.concat([...parts, tail]);
}
