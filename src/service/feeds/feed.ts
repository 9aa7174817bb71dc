import * as z from 'zod';

/**
 * The kinds of public intelligence: OSV advisories, FIRST's EPSS scores, CISA's known exploited vulnerabilities, and the
 * vulnerable functions of advisories that do not name them.
 */
export const feedKinds = ['osv', 'epss', 'kev', 'symbols'] as const;
export type FeedKind = (typeof feedKinds)[number];

const recordFiles = ['.zip', '.ndjson', '.jsonl', '.ndjson.gz', '.jsonl.gz', '.json'];

/** The file names that each kind is read from. The content is checked too. */
export const fileTypes: Readonly<Record<FeedKind, readonly string[]>> = {
  osv: recordFiles,
  epss: ['.csv', '.csv.gz'],
  kev: ['.json'],
  symbols: recordFiles,
};

/** A feed that cannot be used as a whole. The message is for the operator: what is wrong, and what would be right. */
export class FeedError extends Error {
  /** The first records that could not be used, where they are the reason. */
  readonly bad: readonly BadRecord[];

  constructor(message: string, bad: readonly BadRecord[] = []) {
    super(message);
    this.name = 'FeedError';
    this.bad = bad;
  }
}

/** One record that cannot be used; the others of its file can. */
export const badRecord = z.object({
  file: z.string(),
  /** `line 12`, `entry GHSA-….json` or `record 3`. */
  at: z.string(),
  /** As `affected.0.package.name`; empty where the record as a whole is wrong. */
  field: z.string(),
  problem: z.string(),
});

export type BadRecord = Readonly<z.output<typeof badRecord>>;

/** A record that cannot be used, with the packages it is about (`packageKey`); null where it may be about any. */
interface Unread {
  readonly kind: 'bad';
  readonly bad: BadRecord;
  readonly packages: readonly string[] | null;
}

export type ReadResult<T> = { readonly kind: 'record'; readonly record: T } | Unread;

/** A feed file that is being read. `fraction` is how much of it has been read, 0 to 1. */
export interface Source<T> {
  readonly records: AsyncIterable<ReadResult<T>>;
  readonly fraction: () => number;
}

/**
 * The name of a feed, which is its row in the database: `osv:npm`, `epss`, `kev`, `symbols:<file>`. `part` is empty for those
 * that are one whole.
 */
export function feedNameOf({ kind, part }: { readonly kind: FeedKind; readonly part: string }): string {
  return kind === 'osv' || kind === 'symbols' ? `${kind}:${printable(part)}` : kind;
}

/** The type of a feed file by its name. Throws `FeedError` for a name that this kind is not read from. */
export function fileTypeOf(kind: FeedKind, fileName: string): string {
  const lower = fileName.toLowerCase();
  const types = fileTypes[kind].filter((type) => lower.endsWith(type));
  const longest = types.sort((a, b) => b.length - a.length)[0];
  if (longest === undefined) {
    throw new FeedError(`${printable(fileName)}: not a file type of ${kind}; it takes ${fileTypes[kind].join(', ')}`);
  }
  return longest;
}

/** Text from a file, made safe for a terminal and a log: one line, at most 200 characters. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd').slice(0, 200);
}
