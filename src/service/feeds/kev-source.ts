import * as z from 'zod';
import { cve } from '../../procedures/vulnerability.js';
import { type BadRecord, FeedError, fileTypeOf, printable } from './feed.js';
import { type FeedFile, readText } from './file-bytes.js';
import { describeIssue, parseJson, toBad } from './record-text.js';

/** The whole catalogue. It is small (1.3 MB), and removed entries matter too, so it is read at once. */
export interface KevCatalogue {
  readonly version: string;
  readonly releasedAt: Date;
  readonly entries: readonly z.output<typeof entrySchema>[];
  readonly bad: readonly BadRecord[];
}

const maxBytes = 64 * 1024 * 1024;

/** CISA's schema, as far as we read it (known_exploited_vulnerabilities_schema.json). */
const catalogueSchema = z.object({
  catalogVersion: z.string().min(1).max(100),
  dateReleased: z.iso.datetime({ offset: true, error: 'is not a date such as 2025-08-25T17:04:19Z' }),
  count: z.int(),
  vulnerabilities: z.array(z.unknown()),
});

const entrySchema = z
  .object({
    cveID: cve,
    dateAdded: z.iso.date('is not a date such as 2025-08-25'),
    dueDate: z.iso.date('is not a date such as 2025-08-25').nullish(),
    knownRansomwareCampaignUse: z.string().nullish(),
  })
  .transform((entry) => ({
    cve: entry.cveID,
    dateAdded: entry.dateAdded,
    dueDate: entry.dueDate ?? null,
    ransomware: entry.knownRansomwareCampaignUse?.toLowerCase() === 'known',
  }));

/** Reads CISA's catalogue of known exploited vulnerabilities. Throws `FeedError` unless the file is a whole catalogue. */
export async function readKev(file: FeedFile): Promise<KevCatalogue> {
  fileTypeOf('kev', file.name);
  const name = printable(file.name);
  const value = parseJson(await readText(file, maxBytes, ', which no catalogue is'));
  if (value === undefined) throw new FeedError(`${name}: is not JSON, or is cut off`);
  const catalogue = catalogueSchema.safeParse(value);
  if (!catalogue.success) {
    const [field, problem] = describeIssue(catalogue.error);
    throw new FeedError(`${name}: is not CISA's catalogue: ${field === '' ? problem : `${field} ${problem}`}`);
  }
  const { catalogVersion, dateReleased, count, vulnerabilities } = catalogue.data;
  if (count !== vulnerabilities.length) {
    throw new FeedError(`${name}: says it has ${count} entries but holds ${vulnerabilities.length}: it is not whole`);
  }
  const entries = new Map<string, z.output<typeof entrySchema>>();
  const bad: BadRecord[] = [];
  for (const [index, each] of vulnerabilities.entries()) {
    const entry = entrySchema.safeParse(each);
    if (entry.success) entries.set(entry.data.cve, entry.data);
    else bad.push(toBad({ file: file.name, at: `record ${index + 1}` }, ...describeIssue(entry.error)).bad);
  }
  return { version: catalogVersion, releasedAt: new Date(dateReleased), entries: [...entries.values()], bad };
}
