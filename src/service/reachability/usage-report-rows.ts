import type { UsageReport } from '../../procedures/usage-report.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageVersion } from '../../shared/packages/package-name.js';
import { normaliseName, parsePurl } from '../../shared/packages/purl.js';
import { purlFault } from '../../shared/packages/purl-fault.js';
import type { Confidence, ReportedUsage, Scope } from '../../shared/vulnerability-terms.js';
import type { ChainStep, ImportSite } from '../../verdict/evidence.js';
import { isStandardLibrary } from '../../verdict/standard-library.js';
import { invalidField } from '../http/api-error.js';

/** Import sites that a verdict shows; the stored report holds all of them. */
export const maxShownSites = 10;

/** One dependency of a report, as verdicts are computed from it. */
export interface UsageDependency {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly version: string;
  readonly usage: ReportedUsage;
  readonly scope: Scope;
  readonly symbols: readonly string[];
  readonly symbols_complete: boolean;
  /** What follows the package's name in production imports, once each; null where the report does not list them all. */
  readonly subpaths: readonly string[] | null;
  readonly confidence: Confidence | null;
  /** Null where the report does not say what the search missed. */
  readonly gaps: readonly string[] | null;
  readonly chain: readonly ChainStep[];
  /** With what follows the package's name, where an advisory may be about a part of the package. */
  readonly sites: readonly (ImportSite & { readonly subpath?: string })[];
  readonly production_sites: number;
  readonly all_sites: number;
  readonly paths: readonly (readonly string[])[];
}

/**
 * The dependencies of a report. Rejects a purl that names no package version of a known ecosystem, and a purl that
 * occurs twice, because it would not be clear which of the two counts.
 */
export function usageDependencies(report: UsageReport): UsageDependency[] {
  const keys = new Set<string>();
  return report.dependencies.map((dependency, place) => {
    const field = `report.dependencies.${place}.purl`;
    const coordinate = parsePurl(dependency.purl);
    const { data: version } = packageVersion.safeParse(coordinate?.version);
    if (coordinate === null || version === undefined) throw invalidField(field, purlFault(dependency.purl));
    const { ecosystem } = coordinate;
    const package_name = normaliseName(ecosystem, coordinate.name);
    const key = `${ecosystem} ${package_name} ${version}`;
    if (keys.has(key)) throw invalidField(field, 'duplicate');
    keys.add(key);
    const { usage, scope, symbols, symbols_complete, counts, paths } = dependency;
    return {
      ecosystem,
      package_name,
      version,
      usage,
      scope,
      symbols,
      symbols_complete,
      subpaths: subpathsOf(dependency),
      confidence: dependency.confidence ?? null,
      gaps: dependency.gaps ?? null,
      chain: dependency.chain ?? [],
      sites: shown(dependency.sites, isStandardLibrary({ ecosystem, name: package_name })),
      production_sites: counts.prod,
      all_sites: counts.prod + counts.test + counts.config + counts.script,
      paths,
    };
  });
}

type WireDependency = UsageReport['dependencies'][number];

/** The report lists sites of production code first, and counts them all. */
function subpathsOf({ sites, subpaths, counts }: WireDependency): readonly string[] | null {
  if (subpaths !== undefined) return subpaths;
  const production = sites.filter(({ role }) => role === 'prod');
  if (production.length < counts.prod) return null;
  const imports = production.filter(({ kind, type_only }) => kind !== 'mention' && !type_only);
  return [...new Set(imports.map(({ subpath }) => subpath ?? ''))];
}

/** Production code first, and of that what an entry point reaches; otherwise in the report's order. */
function shown(sites: WireDependency['sites'], ofParts: boolean): UsageDependency['sites'] {
  const rank = (site: (typeof sites)[number]) =>
    (site.role === 'prod' ? 0 : 4) + (site.type_only ? 2 : 0) + (site.reached ? 0 : 1);
  return [...sites]
    .sort((a, b) => rank(a) - rank(b))
    .filter(({ role }, _, [first]) => !ofParts || role === first?.role)
    .slice(0, ofParts ? sites.length : maxShownSites)
    .map(({ file, line, column, symbols, subpath }) => ({
      ...{ file, line, column, symbols },
      ...(ofParts && subpath !== null && { subpath }),
    }));
}
