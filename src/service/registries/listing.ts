import * as z from 'zod';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { normaliseName } from '../../shared/packages/purl.js';
import { withOrdering } from '../matching/versions/index.js';

/** What a registry says of one release. */
export interface ReleaseFacts {
  /** The range that it asks of each package, by the name that advisories are matched by, or some, each on a line; null: not known. */
  readonly dependencies: Readonly<Record<string, string>> | null;
  readonly deprecated: boolean;
  /** The versions of Node that it runs on, as its manifest says. */
  readonly node: string | null;
}

/** What a registry's document says of one package. */
export interface Listing {
  /** Those that can be installed anew. Where releases are known: releases before pre-releases, the newest first. */
  readonly versions: readonly string[];
  /** They were published, and stay for those who have them. */
  readonly yanked: readonly string[];
  /** The version that is installed where nobody names one. */
  readonly latest: string | null;
  /** Facts of some of `versions`; null where the ecosystem's documents have none. */
  readonly releases: ReadonlyMap<string, ReleaseFacts> | null;
}

export const unknownRelease: ReleaseFacts = { dependencies: null, deprecated: false, node: null };

/** A release with more is odd: the largest real ones have some hundred. */
const maxDependencies = 1_000;

/** One package is asked for by two ranges where a release brings an older version of it along. */
const maxRanges = 10;

/** A database takes neither a NUL nor half of a character. No name, version or range has a control character. */
const oneLine = /^[^\p{Cc}\p{Cs}]+$/u;

/** A version as a registry writes it. */
export const versionText = z.string().max(256).regex(oneLine);

/** A name or a range. */
export const shortText = z
  .string()
  .max(1_000)
  .regex(oneLine)
  // It is no name of a package, and no key of an object that is copied.
  .refine((text) => text !== '__proto__');

/** A listing of versions alone. */
export function versionsOnly(versions: readonly string[]): Listing {
  const taken = versions.filter((each) => versionText.safeParse(each).success);
  return { versions: taken, yanked: [], latest: null, releases: null };
}

interface ReadReleases {
  readonly releases: ReadonlyMap<string, ReleaseFacts>;
  readonly yanked?: readonly string[];
  readonly latest?: string | null;
}

/** A listing with what is known of each version. */
export function withReleases(ecosystem: Ecosystem, { releases, yanked = [], latest = null }: ReadReleases): Listing {
  const isListed = latest !== null && releases.has(latest);
  return { versions: newestFirst(ecosystem, [...releases.keys()]), yanked, latest: isListed ? latest : null, releases };
}

/**
 * The ranges by package, several of one as lines, as under two aliases; null where they are not all known: one has
 * another shape, or they are too many.
 */
export function rangesOf(
  ecosystem: Ecosystem,
  asked: Iterable<readonly [name: string, range: unknown]>,
): Readonly<Record<string, string>> | null {
  const ranges = new Map<string, string>();
  for (const [given, text] of asked) {
    const [name, range] = [shortText.safeParse(normaliseName(ecosystem, given)), shortText.safeParse(text)];
    if (!name.success || !range.success) return null;
    const others = ranges.get(name.data)?.split('\n') ?? [];
    ranges.set(name.data, [...new Set([...others, range.data])].join('\n'));
    if (ranges.size > maxDependencies || others.length > maxRanges) return null;
  }
  return Object.fromEntries(ranges);
}

/** Releases before pre-releases, the newest first, and what has no place in the order last. */
function newestFirst(ecosystem: Ecosystem, versions: readonly string[]): string[] {
  return withOrdering(ecosystem, (ordering) => {
    const parsed = versions.flatMap((text) => {
      const version = ordering.parse(text);
      return version === null ? [] : [{ text, version }];
    });
    const sorted = parsed.sort((a, b) => ordering.compare(b.version, a.version));
    const released = sorted.filter(({ version }) => !ordering.isPrerelease(version));
    return [...new Set([...[...released, ...sorted].map(({ text }) => text), ...versions])];
  });
}
