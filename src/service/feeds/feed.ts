/** The three kinds of public intelligence: OSV advisories, FIRST's EPSS scores, CISA's known exploited vulnerabilities. */
export const feedKinds = ['osv', 'epss', 'kev'] as const;
export type FeedKind = (typeof feedKinds)[number];

/** File names each kind is read from; what is inside is checked too. */
export const fileTypes: Readonly<Record<FeedKind, readonly string[]>> = {
  osv: ['.zip', '.ndjson', '.jsonl', '.ndjson.gz', '.jsonl.gz', '.json'],
  epss: ['.csv', '.csv.gz'],
  kev: ['.json'],
};

/** A feed as a whole cannot be used. The message is written for the operator: what is wrong, and what would be right. */
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
export interface BadRecord {
  readonly file: string;
  /** `line 12`, `entry GHSA-….json` or `record 3`. */
  readonly at: string;
  /** As `affected.0.package.name`; empty for the record as a whole. */
  readonly field: string;
  readonly problem: string;
}

export type Read<T> =
  | { readonly kind: 'record'; readonly record: T }
  | { readonly kind: 'bad'; readonly bad: BadRecord };

/** A feed file that is being read. `fraction` tells how much of it is behind us, 0 to 1. */
export interface Source<T> {
  readonly records: AsyncIterable<Read<T>>;
  readonly fraction: () => number;
}

/** The type of a feed file by its name; refuses one that this kind is not read from. */
export function fileTypeOf(kind: FeedKind, fileName: string): string {
  const lower = fileName.toLowerCase();
  const types = fileTypes[kind].filter((type) => lower.endsWith(type));
  const longest = types.sort((a, b) => b.length - a.length)[0];
  if (longest === undefined) {
    throw new FeedError(`${printable(fileName)}: not a file type of ${kind}; it takes ${fileTypes[kind].join(', ')}`);
  }
  return longest;
}

/** Text from a file, made fit for a terminal and a log: one line, at most 200 characters. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd').slice(0, 200);
}
