import * as z from 'zod';
import { cve } from '../../procedures/vulnerability.js';
import { FeedError, fileTypeOf, printable, type ReadResult, type Source } from './feed.js';
import { type FeedFile, readBytes } from './file-bytes.js';
import { readLines } from './lines.js';
import { describeIssue, type RecordPosition, toBad } from './record-text.js';

export interface EpssScore {
  readonly cve: string;
  /** 0 to 1. */
  readonly probability: number;
  /** 0 to 1. */
  readonly percentile: number;
  /** YYYY-MM-DD. */
  readonly scoredOn: string;
  readonly model: string;
}

/** A row holds five short fields. */
const maxLineBytes = 64 * 1024;

const unknownModel = 'unknown';

const share = z
  .string()
  .regex(/^(\d+(\.\d*)?|\.\d+)(e-?\d+)?$/i, 'is not a number from 0 to 1')
  .transform(Number)
  .refine((value) => value <= 1, 'is not a number from 0 to 1');

const rowSchema = z.object({
  cve,
  epss: share,
  percentile: share,
  date: z.iso.date('is not a date such as 2025-08-15'),
});

/** Each column's place in a row. `date` is null where the heading's date holds for all rows. */
interface Columns {
  readonly cve: number;
  readonly epss: number;
  readonly percentile: number;
  readonly date: number | null;
}

/** `#model_version:v2025.03.14,score_date:2025-08-15T00:00:00+0000`, the first line of FIRST's own files. */
interface Heading {
  readonly model: string;
  readonly date: string | null;
}

/**
 * Opens EPSS scores as FIRST publishes them: CSV, also gzipped, with a comment line for model and date and the columns
 * cve, epss, percentile. Without the comment the rows need a date column. Other columns are ignored.
 */
export async function openEpss(file: FeedFile): Promise<Source<EpssScore>> {
  const type = fileTypeOf('epss', file.name);
  const { bytes, fraction } = await readBytes(file, type.endsWith('.gz') ? 'gzip' : 'plain');
  return { records: readRows(file, bytes), fraction };
}

async function* readRows(file: FeedFile, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReadResult<EpssScore>> {
  let heading: Heading = { model: unknownModel, date: null };
  let columns: Columns | null = null;
  for await (const { number, text } of readLines(bytes, maxLineBytes)) {
    const place = { file: file.name, at: `line ${number}` };
    if (text === null) yield toBad(place, '', `is longer than ${maxLineBytes / 1024} kB`);
    else if (text.startsWith('#')) heading = readHeading(text) ?? heading;
    else if (text.trim() === '') continue;
    else if (columns === null) columns = readColumns(file, text, heading);
    else yield readRow(place, text, columns, heading);
  }
}

function readHeading(line: string): Heading | null {
  const model = /model_version:([\w.-]{1,40})/.exec(line)?.[1];
  const date = /score_date:(\d{4}-\d{2}-\d{2})/.exec(line)?.[1];
  return model === undefined && date === undefined ? null : { model: model ?? unknownModel, date: date ?? null };
}

function readColumns(file: FeedFile, line: string, heading: Heading): Columns {
  const names = fieldsOf(line).map((name) => name.toLowerCase());
  const place = (name: string) => {
    const index = names.indexOf(name);
    if (index === -1) {
      throw new FeedError(
        `${printable(file.name)}: its header has no column ${name}; EPSS files have cve, epss, percentile`,
      );
    }
    return index;
  };
  const date = names.findIndex((name) => /^(date|score_?date)\b|^date_/.test(name));
  if (date === -1 && heading.date === null) {
    throw new FeedError(
      `${printable(file.name)}: says nowhere which day it was scored: neither a first line #model_version:…,score_date:… nor a column date`,
    );
  }
  return { cve: place('cve'), epss: place('epss'), percentile: place('percentile'), date: date === -1 ? null : date };
}

function readRow(place: RecordPosition, line: string, columns: Columns, heading: Heading): ReadResult<EpssScore> {
  const fields = fieldsOf(line);
  const parsed = rowSchema.safeParse({
    cve: fields[columns.cve],
    epss: fields[columns.epss],
    percentile: fields[columns.percentile],
    date: columns.date === null ? heading.date : (fields[columns.date]?.slice(0, 10) ?? heading.date),
  });
  if (!parsed.success) return toBad(place, ...describeIssue(parsed.error));
  const { cve: id, epss: probability, percentile, date } = parsed.data;
  return { kind: 'record', record: { cve: id, probability, percentile, scoredOn: date, model: heading.model } };
}

/** No field that we read contains a comma, so it is enough to remove the quotes. */
function fieldsOf(line: string): string[] {
  return line.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
}
