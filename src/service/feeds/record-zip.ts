import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { FeedError, printable, type ReadResult, type Source } from './feed.js';
import { type FeedFile, rejectBomb, requireMagic, sizeOf } from './file-bytes.js';
import { maxRecordBytes, type ReadValue, readRecordText, toBad } from './record-text.js';

/** Three times what all of OSV holds today. */
const maxEntries = 1_000_000;

/** Opens an archive with one JSON file for each record, as OSV's of each ecosystem. Entries are read one by one. */
export async function openRecordZip<T>(file: FeedFile, read: ReadValue<T>): Promise<Source<T>> {
  const size = await sizeOf(file);
  await requireMagic(file, [0x50, 0x4b], 'a zip archive');
  const zip = await openPromise(file.path, { autoClose: false }).catch(damaged(file));
  if (zip.entryCount > maxEntries) {
    zip.close();
    throw new FeedError(
      `${printable(file.name)}: holds ${zip.entryCount} entries, more than the ${maxEntries} allowed`,
    );
  }
  return {
    records: readEntries(file, zip, size, read),
    fraction: () => (zip.entryCount === 0 ? 1 : zip.entriesRead / zip.entryCount),
  };
}

async function* readEntries<T>(
  file: FeedFile,
  zip: ZipFile,
  size: number,
  read: ReadValue<T>,
): AsyncGenerator<ReadResult<T>> {
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.toLowerCase().endsWith('.json')) continue;
      const place = { file: file.name, at: `entry ${entry.fileName}` };
      if (entry.uncompressedSize > maxRecordBytes) {
        yield toBad(place, '', `is larger than ${maxRecordBytes / (1024 * 1024)} MB`);
        continue;
      }
      // The zip reader enforces the size that the directory states for an entry, so the sum can be trusted.
      unpacked += entry.uncompressedSize;
      rejectBomb(file, size, unpacked);
      const text = await readEntry(zip, entry);
      yield text === null ? toBad(place, '', 'is damaged or encrypted') : readRecordText(place, text, read);
    }
  } catch (error) {
    if (error instanceof FeedError) throw error;
    damaged(file)(error);
  } finally {
    zip.close();
  }
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<string | null> {
  if (!entry.canDecodeFileData()) return null;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function damaged({ name }: FeedFile): (error: unknown) => never {
  return (error) => {
    const why = error instanceof Error ? ` (${printable(error.message)})` : '';
    throw new FeedError(`${printable(name)}: is a damaged or incomplete zip archive${why}`);
  };
}
