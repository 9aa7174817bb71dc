import { usageReportLimits } from '../../procedures/usage-report.js';
import type { WireDependency, WireReport } from './site-evidence.js';

/** The shares of the report's limits that each dependency may list, tried in this order. */
const shares = [1, 0.5, 0.25, 0.1, 0.04, 0.02, 0];

/** The order in which dependencies are left out. Without a report, their verdict is `transitive_only` with low confidence. */
const leftOutFirst = ['transitive', 'tooling', 'type_only', 'mentioned', 'unused'] as const;

/**
 * The report within the limit of bytes. First all dependencies list less, by the same share, and say that they are truncated.
 * If that is not enough, those dependencies are left out whose verdicts change the least.
 */
export function fitReport(report: WireReport, maxBytes: number = usageReportLimits.bytes): WireReport {
  let fitted = report;
  for (const share of shares) {
    fitted =
      share === 1 ? report : { ...report, dependencies: report.dependencies.map((each) => shorten(each, share)) };
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

function shorten(dependency: WireDependency, share: number): WireDependency {
  const { sites, symbols, paths, introduced_by } = dependency;
  const cut = <T>(values: readonly T[], max: number) => values.slice(0, Math.floor(max * share));
  const symbolLimit = usageReportLimits.symbols;
  const shorter = {
    sites: cut(sites, usageReportLimits.sites).map((site) => ({ ...site, symbols: cut(site.symbols, symbolLimit) })),
    symbols: cut(symbols, symbolLimit),
    paths: cut(paths, usageReportLimits.paths),
    introduced_by: cut(introduced_by, symbolLimit),
  };
  const isSame =
    shorter.sites.length === sites.length &&
    shorter.sites.every((site, index) => site.symbols.length === sites[index]?.symbols.length) &&
    shorter.symbols.length === symbols.length &&
    shorter.paths.length === paths.length &&
    shorter.introduced_by.length === introduced_by.length;
  if (isSame) return dependency;
  const symbols_complete = dependency.symbols_complete && shorter.symbols.length === symbols.length;
  return { ...dependency, ...shorter, symbols_complete, truncated: true };
}
