import { FeedError, type FeedKind, fileTypeOf, printable, type ReadResult, type Source } from './feed.js';
import { type FeedFile, readBytes, readText } from './file-bytes.js';
import { readLines } from './lines.js';
import { maxRecordBytes, parseJson, type ReadValue, readRecordText, toBad } from './record-text.js';
import { openRecordZip } from './record-zip.js';

/** Opens a zip, NDJSON or JSON file of records. An unusable record is reported; an unusable file throws. */
export async function openRecords<T>(kind: FeedKind, file: FeedFile, read: ReadValue<T>): Promise<Source<T>> {
  const type = fileTypeOf(kind, file.name);
  if (type === '.zip') return openRecordZip(file, read);
  if (type === '.json') return { records: readJsonFile(file, read), fraction: () => 0 };
  const { bytes, fraction } = await readBytes(file, type.endsWith('.gz') ? 'gzip' : 'plain');
  return { records: readNdjson(file, bytes, read), fraction };
}

async function* readNdjson<T>(
  file: FeedFile,
  bytes: AsyncIterable<Uint8Array>,
  read: ReadValue<T>,
): AsyncGenerator<ReadResult<T>> {
  for await (const { number, text } of readLines(bytes, maxRecordBytes)) {
    const place = { file: file.name, at: `line ${number}` };
    if (text === null) yield toBad(place, '', `is longer than ${maxRecordBytes / (1024 * 1024)} MB`);
    else if (text.trim() !== '') yield readRecordText(place, text, read);
  }
}

async function* readJsonFile<T>(file: FeedFile, read: ReadValue<T>): AsyncGenerator<ReadResult<T>> {
  const text = await readText(file, maxRecordBytes, ': give it as .ndjson or .zip');
  const value = parseJson(text);
  if (value === undefined) throw new FeedError(`${printable(file.name)}: is not JSON`);
  const records: unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, record] of records.entries()) {
    yield read({ file: file.name, at: `record ${index + 1}` }, record);
  }
}
