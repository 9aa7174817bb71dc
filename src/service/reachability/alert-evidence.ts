import type { StoredEvidence, UsageEvidence } from '../../verdict/evidence.js';
import { type Exposure, formula } from '../../verdict/formula.js';
import { classifyUsage } from '../../verdict/usage.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { cvssOf, epssOf } from '../alerts/alert-row.js';
import { parseCvss } from '../matching/cvss.js';
import type { UsageDependency } from './usage-report-rows.js';

/** The columns of an alert that its verdict is computed from. */
export type JudgedAlert = Pick<
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

/** What the alert's columns do not say. */
export interface Surroundings {
  /** The report's entries of the package, all versions. */
  readonly dependencies: readonly UsageDependency[];
  /** Functions that the alert's advisories name. */
  readonly vulnerableSymbols: readonly string[];
  readonly reportComplete: boolean;
  readonly epssModel: string | null;
  readonly exposure: Exposure;
}

/** The evidence on an alert, in one fixed order of keys: equal evidence is equal text. */
export function alertEvidence(alert: JudgedAlert, around: Surroundings): StoredEvidence {
  const epss = epssOf(alert);
  return {
    versions: alert.versions,
    usage: usageEvidence(alert.versions, around),
    exploit: {
      severity: alert.severity,
      cvss: cvssOf(alert),
      attackVector: alert.cvss_vector === null ? null : (parseCvss(alert.cvss_vector)?.attackVector ?? null),
      epss: epss && { ...epss, model: around.epssModel ?? 'unknown' },
      kev: alert.kev_added === null ? null : { dateAdded: alert.kev_added },
    },
    exposure: around.exposure,
  };
}

/**
 * The use of the affected versions; of several, the one used most counts. Where the report knows only other versions (the
 * stack has moved on since), they stand in, with no more than medium confidence.
 */
function usageEvidence(versions: readonly string[], around: Surroundings): UsageEvidence {
  const { dependencies, vulnerableSymbols, reportComplete } = around;
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
