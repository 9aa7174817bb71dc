import { crc32 } from 'node:zlib';

/** 1 January 1980, the first day that zip files know: the same files give the same bytes. */
const date = (1 << 5) | 1;

/**
 * A zip archive of files by name (PKWARE APPNOTE 6.3, 4.3), without directories, encryption or zip64. They are stored, because
 * what a compressor makes depends on its version: the archive's checksum must not.
 */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const nameBytes = Buffer.from(name);
    // Version 2.0, names in UTF-8, stored, time and date; then checksum, both sizes, length of the name and of no extra field.
    const shared = Buffer.alloc(26);
    for (const [at, value] of [20, 0x800, 0, 0, date].entries()) shared.writeUInt16LE(value, at * 2);
    for (const [at, value] of [crc32(bytes), bytes.length, bytes.length].entries())
      shared.writeUInt32LE(value, 10 + at * 4);
    shared.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([signature(0x04034b50), shared, nameBytes, bytes]);
    const rest = Buffer.alloc(14);
    // A plain file that all may read.
    rest.writeUInt32LE(0o100644 * 2 ** 16, 6);
    rest.writeUInt32LE(offset, 10);
    // 0x0314: made by version 2.0 on Unix.
    entries.push(signature(0x02014b50), Buffer.from([0x14, 0x03]), shared, rest, nameBytes);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
