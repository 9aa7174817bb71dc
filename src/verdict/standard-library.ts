import type { Ecosystem } from '../shared/packages/ecosystem.js';
import type { ReportedUsage } from '../shared/vulnerability-terms.js';

/** Go's standard library is one package for advisories, and many for a program, which imports them by their paths. */
export function isStandardLibrary({
  ecosystem,
  name,
}: {
  readonly ecosystem: Ecosystem;
  readonly name: string;
}): boolean {
  return ecosystem === 'Go' && name === 'stdlib';
}

/** What a report says of the whole library. */
interface LibraryUse {
  readonly usage: ReportedUsage;
  /** Those of production, where it has any. */
  readonly sites: readonly { readonly subpath?: string }[];
  /** Paths that production imports; null where the report does not list them all. */
  readonly subpaths: readonly string[] | null;
  readonly production_sites: number;
  readonly all_sites: number;
}

/** Every program has these. */
const always = /^(?:runtime|internal)(?:\/|$)/;

/**
 * The use of the parts that an advisory is about: the sites that import them. Where production imports none of them,
 * other parts of the library or modules may: then they are used transitively, at most. An advisory without functions
 * names no part.
 */
export function useOfParts<Use extends LibraryUse>(use: Use, symbols: readonly string[]): Use {
  const paths = new Set(symbols.flatMap((symbol) => /^(?:.*\/)?[^./]+/.exec(symbol) ?? []));
  if (paths.size === 0) return use;
  const isImported = use.subpaths === null || use.subpaths.some((each) => paths.has(each));
  if (isImported) {
    const sites = use.sites.filter(({ subpath }) => subpath !== undefined && paths.has(subpath));
    return sites.length === 0 ? use : { ...use, sites, production_sites: sites.length, all_sites: sites.length };
  }
  const isUsed = use.usage === 'reached' || use.usage === 'imported';
  if (!isUsed || [...paths].some((path) => always.test(path))) return use;
  return { ...use, usage: 'transitive', sites: [], production_sites: 0, all_sites: 0 };
}
