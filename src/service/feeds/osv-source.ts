import type { Advisory } from '../matching/advisory.js';
import { FeedError, fileTypeOf, printable, type ReadResult, type Source } from './feed.js';
import { type FeedFile, readBytes, readText } from './file-bytes.js';
import { readLines } from './lines.js';
import { maxRecordBytes, parseJson, readOsvText, readOsvValue, toBad } from './osv-text.js';
import { openOsvZip } from './osv-zip.js';

/** Opens a zip, NDJSON or JSON file of OSV records. An unusable record is reported; an unusable file throws. */
export async function openOsv(file: FeedFile): Promise<Source<Advisory>> {
  const type = fileTypeOf('osv', file.name);
  if (type === '.zip') return openOsvZip(file);
  if (type === '.json') return { records: readJsonFile(file), fraction: () => 0 };
  const { bytes, fraction } = await readBytes(file, type.endsWith('.gz') ? 'gzip' : 'plain');
  return { records: readNdjson(file, bytes), fraction };
}

async function* readNdjson(file: FeedFile, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadResult<Advisory>> {
  for await (const { number, text } of readLines(bytes, maxRecordBytes)) {
    const place = { file: file.name, at: `line ${number}` };
    if (text === null) yield toBad(place, '', `is longer than ${maxRecordBytes / (1024 * 1024)} MB`);
    else if (text.trim() !== '') yield readOsvText(place, text);
  }
}

async function* readJsonFile(file: FeedFile): AsyncGenerator<ReadResult<Advisory>> {
  const text = await readText(file, maxRecordBytes, ': give it as .ndjson or .zip');
  const value = parseJson(text);
  if (value === undefined) throw new FeedError(`${printable(file.name)}: is not JSON`);
  const records: unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, record] of records.entries()) {
    yield readOsvValue({ file: file.name, at: `record ${index + 1}` }, record);
  }
}
