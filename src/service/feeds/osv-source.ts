import { type Advisory, toAdvisory } from '../matching/advisory.js';
import { osvRecordSchema } from '../matching/osv-record.js';
import type { ReadResult, Source } from './feed.js';
import type { FeedFile } from './file-bytes.js';
import { namedPackages } from './named-packages.js';
import { openRecords } from './record-files.js';
import { describeIssue, type RecordPosition, toBad } from './record-text.js';

/** Opens a zip, NDJSON or JSON file of OSV records. An unusable record is reported; an unusable file throws. */
export function openOsv(file: FeedFile): Promise<Source<Advisory>> {
  return openRecords('osv', file, readOsvValue);
}

function readOsvValue(place: RecordPosition, value: unknown): ReadResult<Advisory> {
  const parsed = osvRecordSchema.safeParse(value);
  if (!parsed.success) return toBad(place, ...describeIssue(parsed.error), namedPackages(value));
  return { kind: 'record', record: toAdvisory(parsed.data) };
}
