import type { Asker, LockedPackage } from './package-list.js';
import type { Edges } from './scopes.js';

/** A dependency by its key, and the range that is asked of it; null where it is not known. */
export type Edge = readonly [key: string, range: string | null];

/**
 * The ranges of a package's dependencies by their keys. Where a file says several of one, as for other platforms, it is not known
 * which of them holds.
 */
export function rangesOf(edges: Iterable<Edge>): Pick<LockedPackage, 'ranges'> {
  const said = new Map<string, string | null>();
  for (const [key, range] of edges) say(said, key, range);
  const ranges = new Map([...said].flatMap(([key, range]) => (range === null ? [] : [[key, range] as const])));
  return ranges.size === 0 ? {} : { ranges };
}

/** What a package depends on, with the ranges that it asks for. */
export function toEdges(required: readonly Edge[], optional: readonly Edge[] = []): Edges {
  const keysIn = (edges: readonly Edge[]) => edges.map(([key]) => key);
  return { required: keysIn(required), optional: keysIn(optional), ...rangesOf([...required, ...optional]) };
}

/** A manifest asks for the package of this key. */
export type Ask = readonly [key: string, file: string, range: string | null];

/** Whether the project asks for the package of a key, and by which manifests. */
export type AskersOf = (key: string) => Pick<LockedPackage, 'direct' | 'asked'>;

/** All that a project asks for, by key. Of several ranges in one manifest it is not known which holds. */
export function askersFrom(asks: Iterable<Ask>): AskersOf {
  const byKey = new Map<string, Map<string, Asker['range']>>();
  for (const [key, file, range] of asks) {
    const files = byKey.get(key) ?? new Map<string, Asker['range']>();
    say(files, file, range);
    byKey.set(key, files);
  }
  return (key) => {
    const files = byKey.get(key);
    if (files === undefined) return { direct: false };
    return { direct: true, asked: [...files].map(([file, range]) => ({ file, range })) };
  };
}

function say(said: Map<string, string | null>, key: string, range: string | null): void {
  said.set(key, said.has(key) && said.get(key) !== range ? null : range);
}
