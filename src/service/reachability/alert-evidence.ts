import type { Exposure } from '../../shared/vulnerability-terms.js';
import type { StoredEvidence, UsageEvidence } from '../../verdict/evidence.js';
import { isStandardLibrary, useOfParts } from '../../verdict/standard-library.js';
import { type ClassifiedUsage, classifyUsage, isBelow, lowerConfidence } from '../../verdict/usage.js';
import { findVulnerable, type VulnerableSymbols } from '../../verdict/vulnerable-symbols.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { cvssOf, epssOf } from '../alerts/alert-row.js';
import { parseCvss } from '../matching/cvss.js';
import { maxShownSites, type UsageDependency } from './usage-report-rows.js';

/** The columns of an alert that its verdict is computed from. */
export type EvaluatedAlert = Pick<
  AlertRow,
  | 'ecosystem'
  | 'package_name'
  | 'versions'
  | 'severity'
  | 'cvss_version'
  | 'cvss_score'
  | 'cvss_vector'
  | 'epss'
  | 'epss_percentile'
  | 'epss_date'
  | 'kev_added'
>;

/** What a verdict needs besides the alert's columns. */
export interface VerdictContext {
  /** The usage report's entries of the package, in all versions. */
  readonly dependencies: readonly UsageDependency[];
  readonly vulnerableSymbols: VulnerableSymbols;
  readonly reportComplete: boolean;
  readonly epssModel: string | null;
  readonly exposure: Exposure;
}

/** The evidence on an alert. Its keys always have the same order, so equal evidence is equal JSON text. */
export function alertEvidence(alert: EvaluatedAlert, context: VerdictContext): StoredEvidence {
  const epss = epssOf(alert);
  return {
    versions: alert.versions,
    usage: usageEvidence(alert, context),
    exploit: {
      severity: alert.severity,
      cvss: cvssOf(alert),
      attackVector: alert.cvss_vector === null ? null : (parseCvss(alert.cvss_vector)?.attackVector ?? null),
      epss: epss && { ...epss, model: context.epssModel ?? 'unknown' },
      kev: alert.kev_added === null ? null : { dateAdded: alert.kev_added },
    },
    exposure: context.exposure,
  };
}

/**
 * How the affected versions are used; of several, the one with the highest usage counts. What the report says of other
 * versions (the stack has changed since) counts with at most medium confidence for those that it does not name, and only where
 * it shows more than nothing would.
 */
function usageEvidence(alert: EvaluatedAlert, { dependencies, ...context }: VerdictContext): UsageEvidence {
  const { versions } = alert;
  const named = dependencies.filter(({ version }) => versions.includes(version));
  const candidates = named.map((dependency) => evidenceOf(dependency, alert, context));
  if (versions.some((version) => named.every((dependency) => dependency.version !== version))) {
    candidates.push(noEvidence(alert, context));
    for (const dependency of dependencies) {
      const other = evidenceOf(dependency, alert, context);
      if (!named.includes(dependency))
        candidates.push({ ...other, confidence: lowerConfidence(other.confidence, 'medium') });
    }
  }
  return candidates.reduce((most, each) => (isBelow(most.usage, each.usage) ? each : most));
}

type ReportContext = Omit<VerdictContext, 'dependencies'>;

function evidenceOf(reported: UsageDependency, alert: EvaluatedAlert, context: ReportContext): UsageEvidence {
  const { named, suspected } = context.vulnerableSymbols;
  const isParted = isStandardLibrary({ ecosystem: alert.ecosystem, name: alert.package_name });
  const dependency = isParted ? useOfParts(reported, [...named, ...suspected]) : reported;
  const classified = classify(dependency, alert, context);
  const inProduction = classified.usage === 'called' || classified.usage === 'imported';
  const siteCount = inProduction ? dependency.production_sites : dependency.all_sites;
  const { paths, chain } = dependency;
  const sites = dependency.sites.slice(0, Math.min(siteCount, maxShownSites)).map(({ subpath: _, ...site }) => site);
  return { ...classified, sites, siteCount, paths, chain };
}

function noEvidence(alert: EvaluatedAlert, context: ReportContext): UsageEvidence {
  return { ...classify(null, alert, context), sites: [], siteCount: 0, paths: [], chain: [] };
}

function classify(
  dependency: UsageDependency | null,
  { ecosystem, package_name: name }: EvaluatedAlert,
  { vulnerableSymbols, reportComplete }: ReportContext,
): ClassifiedUsage {
  const { symbols = [], symbols_complete: complete = false, subpaths = null } = dependency ?? {};
  const found = findVulnerable({ ecosystem, name }, vulnerableSymbols, { symbols, complete, subpaths });
  return classifyUsage(dependency, found, reportComplete);
}
