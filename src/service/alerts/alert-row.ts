import { sql } from 'kysely';
import type * as z from 'zod';
import { detailLimits } from '../../procedures/alert-details.js';
import type { alertStatus, alerts } from '../../procedures/alerts.js';
import type { band, cvss, epss, kev, packageRef } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl } from '../../shared/packages/purl.js';
import { clip } from '../../shared/text/cut.js';
import type { Exposure, OverrideVerdict, Usage } from '../../shared/vulnerability-terms.js';
import { acknowledgedOf } from './acknowledgement.js';
import type { AlertRow } from './alert-facts.js';
import type { Advised } from './package-advice.js';

export type Alert = z.output<typeof alerts.acknowledge.output>;
export type AlertStatus = z.output<typeof alertStatus>;
export type Band = z.output<typeof band>;

/** The band of an alert; `unanalyzed` without a verdict, where its project has no usage report. */
export function bandOf({ verdict_band }: Pick<AlertRow, 'verdict_band'>): Band {
  return verdict_band ?? 'unanalyzed';
}

/** The parts of a verdict that an alert shows, besides score and band, which are columns of the alert. */
interface VerdictSummary {
  readonly id: string;
  readonly usage: Usage;
  /** Where the package is imported first, as `file:line`; null where no import is known. */
  readonly site: string | null;
  readonly site_count: number;
  readonly exposure: Exposure;
  readonly override: OverrideVerdict | null;
}

/** Selects the summary of an alert's verdict; null where it has none. */
export const verdictSummary = sql<VerdictSummary | null>`(
  select jsonb_build_object('id', verdicts.id, 'usage', verdicts.evidence #> '{usage,usage}',
    'site', (verdicts.evidence #>> '{usage,sites,0,file}') || ':' || (verdicts.evidence #>> '{usage,sites,0,line}'),
    'site_count', verdicts.evidence #> '{usage,siteCount}', 'exposure', verdicts.evidence -> 'exposure',
    'override', verdicts.override_verdict)
  from verdicts
  where verdicts.organisation_id = alerts.organisation_id and verdicts.alert_id = alerts.id
)`.as('verdict');

export type AlertWithVerdict = AlertRow & { readonly verdict: VerdictSummary | null };

/**
 * Conditions on the expression that the indexes contain. PostgreSQL would fold "= false" into "resolved_at is null",
 * which no index serves, and a page with few rows would read every resolved alert.
 */
export const isResolved = {
  yes: sql<boolean>`(alerts.resolved_at is not null) = true`,
  no: sql<boolean>`(alerts.resolved_at is not null) < true`,
} as const;

/** A resolved alert counts as resolved also where it was acknowledged before. */
export function statusOf({
  resolved_at,
  acknowledged_at,
}: Pick<AlertRow, 'resolved_at' | 'acknowledged_at'>): AlertStatus {
  if (resolved_at !== null) return 'resolved';
  return acknowledged_at === null ? 'open' : 'acknowledged';
}

/** The package's name as a manifest spells it, or else as its registry compares it. */
export function nameOf({ name, package_name }: Pick<AlertRow, 'name' | 'package_name'>): string {
  return name ?? package_name;
}

/** A package with its package URL, without a version. */
export function packageRefOf(ecosystem: Ecosystem, name: string): z.output<typeof packageRef> {
  return { ecosystem, name, purl: printPurl({ ecosystem, name, version: null }) };
}

/** CVSS, EPSS and KEV from columns that advisories and alerts share; null where one of the columns is null. */
export function cvssOf(
  row: Pick<AlertRow, 'cvss_version' | 'cvss_score' | 'cvss_vector'>,
): z.output<typeof cvss> | null {
  const { cvss_version: version, cvss_score: score, cvss_vector: vector } = row;
  return version === null || score === null || vector === null ? null : { version, score, vector };
}

export function epssOf(row: Pick<AlertRow, 'epss' | 'epss_percentile' | 'epss_date'>): z.output<typeof epss> | null {
  const { epss: probability, epss_percentile: percentile, epss_date: date } = row;
  return probability === null || percentile === null || date === null ? null : { probability, percentile, date };
}

export function kevOf(row: Pick<AlertRow, 'kev_added' | 'kev_due' | 'kev_ransomware'>): z.output<typeof kev> | null {
  const { kev_added: date_added, kev_due: due_date, kev_ransomware: ransomware } = row;
  return date_added === null ? null : { date_added, due_date, ransomware: ransomware === true };
}

/** An alert as the API answers it. */
export function toAlert(row: Advised<AlertWithVerdict>): Alert {
  const { effective_priority, verdict } = row;
  return {
    id: row.id,
    project_id: row.project_id,
    cve: row.vulnerability_id.startsWith('CVE-') ? row.vulnerability_id : null,
    advisory_ids: row.advisory_ids,
    title: clip(row.title, detailLimits.title),
    package: packageRefOf(row.ecosystem, nameOf(row)),
    versions: row.versions,
    safe_version: row.safe_version,
    safe_version_status: row.safe_version_status,
    tier: row.tier,
    band: bandOf(row),
    verdict: verdict === null || effective_priority === null ? null : { ...verdict, effective_priority },
    status: statusOf(row),
    severity: row.severity,
    cvss: cvssOf(row),
    epss: epssOf(row),
    kev: kevOf(row),
    malicious: row.malicious,
    acknowledged: acknowledgedOf(row),
    first_seen_at: row.first_seen_at,
    resolved_at: row.resolved_at,
    resolution: row.resolution,
  };
}
