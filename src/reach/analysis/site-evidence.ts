import type * as z from 'zod';
import { type usageReport, usageReportLimits } from '../../procedures/usage-report.js';
import type { ReportedUsage } from '../../shared/vulnerability-terms.js';
import type { PackageSite } from '../languages/language-reader.js';

/** A report as it is in JSON. */
export type WireReport = z.input<typeof usageReport>;
export type WireDependency = WireReport['dependencies'][number];
type WireSite = WireDependency['sites'][number];

export type SiteEvidence = Pick<WireDependency, 'counts' | 'sites' | 'subpaths' | 'symbols' | 'symbols_complete'> & {
  /** More sites or symbols were found than a report holds. */
  readonly truncated: boolean;
};

/** Characters of a symbol or subpath in a report. */
const maxNameLength = 256;

/**
 * The sites of a package as a report lists them, the most important first. Where production code imports the package,
 * mentions of its name add nothing and are left out.
 */
export function siteEvidence(found: readonly PackageSite[], usage: ReportedUsage): SiteEvidence {
  const isImported = usage === 'reached' || usage === 'imported';
  const sites = distinct(found.filter(({ kind }) => !isImported || kind !== 'mention')).sort(byWeight);
  const values = sites.filter(({ role, kind, mock, typeOnly }) => isValue(role, kind) && !mock && !typeOnly);
  const named = [...new Set(values.flatMap(({ symbols }) => symbols))].sort();
  const symbols = named.filter(isName);
  const { sites: maxSites, symbols: maxSymbols } = usageReportLimits;
  return {
    counts: countSites(sites),
    sites: firstOfEach(sites, maxSites).map(toWire),
    ...subpathsOf(sites, maxSites),
    symbols: symbols.slice(0, maxSymbols),
    symbols_complete:
      values.every(({ symbolsComplete }) => symbolsComplete) &&
      symbols.length === named.length &&
      symbols.length <= maxSymbols,
    truncated: sites.length > maxSites || symbols.length > maxSymbols,
  };
}

/** Of more sites than a report holds, one for each subpath comes before the others. */
function firstOfEach(sites: readonly PackageSite[], max: number): PackageSite[] {
  if (sites.length <= max) return [...sites];
  const firsts = new Map<string | null, PackageSite>();
  for (const site of sites) if (!firsts.has(site.subpath)) firsts.set(site.subpath, site);
  return [...new Set([...firsts.values(), ...sites])].slice(0, max).sort(byWeight);
}

/** Listed where the sites in the report do not show all of them. */
function subpathsOf(sites: readonly PackageSite[], max: number): Pick<WireDependency, 'subpaths'> {
  const imports = sites.filter(({ role, kind, typeOnly }) => isValue(role, kind) && !typeOnly);
  const subpaths = [...new Set(imports.map(({ subpath }) => subpath ?? ''))].sort();
  const isListed =
    subpaths.length <= usageReportLimits.subpaths && subpaths.every((each) => each.length <= maxNameLength);
  return sites.length <= max || !isListed ? {} : { subpaths };
}

function isValue(role: PackageSite['role'], kind: PackageSite['kind']): boolean {
  return role === 'prod' && kind !== 'mention';
}

/** Each site counts for its role. `reached`, `type` and `mock` count sites once more. */
function countSites(sites: readonly PackageSite[]): WireDependency['counts'] {
  const count = (is: (site: PackageSite) => boolean) => sites.filter(is).length;
  return {
    prod: count(({ role }) => role === 'prod'),
    reached: count(({ role, reached, typeOnly }) => role === 'prod' && reached && !typeOnly),
    test: count(({ role }) => role === 'test'),
    config: count(({ role }) => role === 'config'),
    script: count(({ role }) => role === 'script'),
    type: count(({ typeOnly }) => typeOnly),
    mock: count(({ mock }) => mock),
  };
}

/** Two readers, or two rules of one reader, may find the same site. */
function distinct(sites: readonly PackageSite[]): PackageSite[] {
  return [
    ...new Map(
      sites.map((site) => [`${site.line}:${site.column} ${site.kind} ${site.subpath} ${site.file}`, site]),
    ).values(),
  ];
}

const roles = ['prod', 'config', 'script', 'test'] as const;

function weight({ role, kind, typeOnly, mock, reached }: PackageSite): number {
  return (
    roles.indexOf(role) * 16 + (kind === 'mention' ? 8 : 0) + (mock ? 4 : 0) + (typeOnly ? 2 : 0) + (reached ? 0 : 1)
  );
}

function byWeight(a: PackageSite, b: PackageSite): number {
  return (
    weight(a) - weight(b) || (a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1)
  );
}

function toWire({ typeOnly, symbols, subpath, file, line, column, kind, role, reached }: PackageSite): WireSite {
  return {
    file,
    line,
    column,
    kind,
    role,
    reached,
    type_only: typeOnly,
    subpath: subpath !== null && isName(subpath) ? subpath : null,
    symbols: [...new Set(symbols)].filter(isName).sort().slice(0, usageReportLimits.symbols),
  };
}

/** Whether a report can hold the name. JavaScript allows any text: `export { x as "any\ntext" }`. */
function isName(name: string): boolean {
  return name.length > 0 && name.length <= maxNameLength && !/\p{Cc}/u.test(name);
}
