import type { Exposure } from '../../shared/vulnerability-terms.js';
import type { StoredEvidence, UsageEvidence } from '../../verdict/evidence.js';
import { formula } from '../../verdict/formula.js';
import { classifyUsage } from '../../verdict/usage.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { cvssOf, epssOf } from '../alerts/alert-row.js';
import { parseCvss } from '../matching/cvss.js';
import type { UsageDependency } from './usage-report-rows.js';

/** The columns of an alert that its verdict is computed from. */
export type EvaluatedAlert = Pick<
  AlertRow,
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
  /** Functions that the alert's advisories name as vulnerable. */
  readonly vulnerableSymbols: readonly string[];
  readonly reportComplete: boolean;
  readonly epssModel: string | null;
  readonly exposure: Exposure;
}

/** The evidence on an alert. Its keys always have the same order, so equal evidence is equal JSON text. */
export function alertEvidence(alert: EvaluatedAlert, context: VerdictContext): StoredEvidence {
  const epss = epssOf(alert);
  return {
    versions: alert.versions,
    usage: usageEvidence(alert.versions, context),
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
 * How the affected versions are used; of several, the one with the highest usage counts. Where the report knows only
 * other versions (the stack has changed since), those are taken instead, with at most medium confidence.
 */
function usageEvidence(versions: readonly string[], context: VerdictContext): UsageEvidence {
  const { dependencies, vulnerableSymbols, reportComplete } = context;
  const exact = dependencies.filter(({ version }) => versions.includes(version));
  const [most] = (exact.length > 0 ? exact : dependencies)
    .map((dependency) => ({ dependency, classified: classifyUsage(dependency, vulnerableSymbols, reportComplete) }))
    .sort((a, b) => formula.usage[b.classified.usage] - formula.usage[a.classified.usage]);
  if (most === undefined) {
    return { ...classifyUsage(null, vulnerableSymbols, reportComplete), sites: [], siteCount: 0, paths: [] };
  }
  const { dependency, classified } = most;
  const confidence = exact.length === 0 && classified.confidence === 'high' ? 'medium' : classified.confidence;
  const inProduction = classified.usage === 'called' || classified.usage === 'imported';
  const siteCount = inProduction ? dependency.production_sites : dependency.all_sites;
  const { sites, paths } = dependency;
  return { ...classified, confidence, sites: sites.slice(0, siteCount), siteCount, paths };
}
