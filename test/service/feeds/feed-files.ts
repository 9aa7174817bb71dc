import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { FeedFile } from '../../../src/service/feeds/file-bytes.js';

/** A folder that goes when the test ends. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-feeds-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A feed file of this content that goes when the test ends. */
export async function feedFile(name: string, content: string | Uint8Array): Promise<FeedFile> {
  const path = join(await testFolder(), name.replaceAll('/', '_'));
  await writeFile(path, content);
  return { path, name };
}

export interface TestRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** An OSV record of an npm package; any field can be given. */
export function osvRecord(
  fields: Partial<Record<string, unknown>> & { readonly id: string },
  packageName = 'a-package',
): TestRecord {
  return {
    modified: '2025-01-02T00:00:00Z',
    published: '2025-01-01T00:00:00Z',
    summary: 'something is wrong',
    affected: [
      {
        package: { ecosystem: 'npm', name: packageName },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
      },
    ],
    ...fields,
  };
}

export function ndjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export function kevCatalogue(entries: readonly object[], fields: object = {}): string {
  return JSON.stringify({
    catalogVersion: '2025.08.25',
    dateReleased: '2025-08-25T17:04:19.9796Z',
    count: entries.length,
    vulnerabilities: entries,
    ...fields,
  });
}

export interface ZipEntry {
  readonly name: string;
  readonly content: string;
  /** What the directory says instead of the truth. */
  readonly declaredSize?: number;
}

/** A zip archive of deflated entries (APPNOTE.TXT 4.3), fewer than 65,536 of them. */
export function zipOf(entries: Iterable<ZipEntry>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredSize } of entries) {
    const packed = deflateRawSync(content);
    const title = Buffer.from(name);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(content), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(declaredSize ?? Buffer.byteLength(content), 8);
    const common = Buffer.concat([
      Buffer.from([20, 0, 0, 8, 8, 0, 0, 0, 0x21, 0]),
      sizes,
      uint16(title.length),
      uint16(0),
    ]);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, title, packed);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(10), uint32(offset), title]),
    );
    offset += 4 + common.length + title.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const count = uint16(directory.length);
  const end = [
    Buffer.from('PK\x05\x06\0\0\0\0', 'latin1'),
    count,
    count,
    uint32(index.length),
    uint32(offset),
    uint16(0),
  ];
  return Buffer.concat([...parts, index, ...end]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** All that a source yields. */
export async function readAll<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}
