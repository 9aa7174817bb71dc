import { usageReportLimits } from '../../procedures/usage-report.js';
import type { ReportedUsage } from '../../shared/vulnerability-terms.js';
import type { WireDependency, WireReport } from './site-evidence.js';

type WireEcosystem = NonNullable<WireReport['ecosystems']>[number];

/** The shares of the report's limits that each dependency may list, tried in this order. */
const shares = [1, 0.5, 0.25, 0.1, 0.04, 0.02, 0];

/**
 * The order in which dependencies are left out. Without a report, their verdict is `transitive_only` with low confidence: for
 * the first ones that changes little, and for none does it lower the class.
 */
const leftOutFirst = [
  'not_analyzed',
  'mentioned',
  'transitive',
  'tooling',
  'type_only',
  'not_loaded',
  'unused',
] as const satisfies readonly ReportedUsage[];

/**
 * The report within the limit of bytes. First all dependencies list less, by the same share, and say that they are truncated.
 * If that is not enough, those dependencies are left out whose verdicts change the least.
 */
export function fitReport(report: WireReport, maxBytes: number = usageReportLimits.bytes): WireReport {
  let fitted = report;
  for (const share of shares) {
    fitted =
      share === 1
        ? report
        : {
            ...report,
            ...(report.ecosystems && { ecosystems: report.ecosystems.map((each) => withFewerGaps(each, share)) }),
            dependencies: report.dependencies.map((each) => shorten(each, share)),
          };
    if (bytesOf(fitted) <= maxBytes) return fitted;
  }
  let over = bytesOf(fitted) - maxBytes;
  const kept = new Set(fitted.dependencies);
  for (const usage of leftOutFirst) {
    for (const dependency of fitted.dependencies) {
      if (over <= 0 || dependency.usage !== usage) continue;
      kept.delete(dependency);
      // With the comma behind it.
      over -= bytesOf(dependency) + 1;
    }
  }
  return { ...fitted, dependencies: [...kept] };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function withFewerGaps(searched: WireEcosystem, share: number): WireEcosystem {
  return { ...searched, gaps: searched.gaps.slice(0, Math.floor(usageReportLimits.gaps * share)) };
}

function shorten(dependency: WireDependency, share: number): WireDependency {
  const { sites, symbols, paths, introduced_by, gaps, chain, ...others } = dependency;
  const cut = <T>(values: readonly T[], max: number) => values.slice(0, Math.floor(max * share));
  const symbolLimit = usageReportLimits.symbols;
  const shorter = {
    sites: cut(sites, usageReportLimits.sites).map((site) => ({ ...site, symbols: cut(site.symbols, symbolLimit) })),
    symbols: cut(symbols, symbolLimit),
    paths: cut(paths, usageReportLimits.paths),
    introduced_by: cut(introduced_by, symbolLimit),
    // One reason is always kept: without any, the search would seem to be complete.
    ...(gaps && { gaps: gaps.slice(0, Math.max(1, Math.floor(usageReportLimits.reasons * share))) }),
    // Half a chain says nothing.
    ...(chain && chain.length <= usageReportLimits.chain * share && { chain }),
  };
  const isSame =
    shorter.sites.length === sites.length &&
    shorter.sites.every((site, index) => site.symbols.length === sites[index]?.symbols.length) &&
    shorter.symbols.length === symbols.length &&
    shorter.paths.length === paths.length &&
    shorter.introduced_by.length === introduced_by.length &&
    shorter.gaps?.length === gaps?.length &&
    shorter.chain?.length === chain?.length;
  if (isSame) return dependency;
  const symbols_complete = dependency.symbols_complete && shorter.symbols.length === symbols.length;
  return { ...others, ...shorter, symbols_complete, truncated: true };
}
