import { type Ecosystem, ecosystems } from '../../shared/packages/ecosystem.js';
import { FeedError, printable } from './feed.js';

/**
 * Advisories of an ecosystem from which on a file counts as a whole database of it (decision record 16): about half of
 * what the GitHub Advisory Database held in 2025, and less than the ecosystem's own database holds.
 */
const wholeFrom: Readonly<Record<Ecosystem, number>> = {
  npm: 2000,
  PyPI: 1700,
  Go: 1200,
  'crates.io': 500,
  Maven: 2500,
  RubyGems: 400,
  NuGet: 300,
  Packagist: 2000,
};

/** Counts the advisories of each ecosystem, as far as it matters. The same advisory twice is one. */
export class EcosystemCount {
  readonly #ids = new Map<Ecosystem, Set<string>>();

  add(id: string, about: readonly Ecosystem[]): void {
    for (const ecosystem of about) {
      const ids = this.#ids.get(ecosystem) ?? new Set();
      if (ids.size < wholeFrom[ecosystem]) ids.add(id);
      this.#ids.set(ecosystem, ids);
    }
  }

  /** Those that any advisory is about. */
  named(): Ecosystem[] {
    return ecosystems.filter((each) => this.#ids.has(each));
  }

  /** Those that there are enough advisories of for a whole database. */
  whole(): Ecosystem[] {
    return ecosystems.filter((each) => this.#ids.get(each)?.size === wholeFrom[each]);
  }
}

/** Reads what an operator states: ecosystems by commas, in any case, or `none`. Throws `FeedError` for anything else. */
export function readCovers(text: string): Ecosystem[] {
  const names = text.split(',').map((each) => each.trim().toLowerCase());
  if (names.length === 1 && names[0] === 'none') return [];
  return names.map((name) => {
    const known = ecosystems.find((each) => each.toLowerCase() === name);
    if (known !== undefined) return known;
    throw new FeedError(`${printable(name) || 'nothing'}: is no ecosystem; give none, or of ${ecosystems.join(',')}`);
  });
}

/**
 * The ecosystems that a feed has completely: those that the operator states; else the one that it is the publisher's
 * archive of, and those that it holds a whole database of.
 */
export function coveredEcosystems(
  count: EcosystemCount,
  { stated, archiveOf }: { readonly stated: readonly Ecosystem[] | null; readonly archiveOf: Ecosystem | null },
): Ecosystem[] {
  if (stated !== null) return ecosystems.filter((each) => stated.includes(each));
  const isArchived = archiveOf !== null && count.named().includes(archiveOf);
  return ecosystems.filter((each) => (isArchived && each === archiveOf) || count.whole().includes(each));
}
