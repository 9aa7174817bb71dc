import * as z from 'zod';
import { vendorSeverity } from '../../procedures/findings.js';
import { severity } from '../../procedures/vulnerability.js';

/** What a container finding keeps in `findings.details`. */
export const findingDetails = z.object({
  package: z.object({ name: z.string(), version: z.string(), type: z.string() }),
  path: z.string().nullable(),
  fixed_version: z.string().nullable(),
  /** As in `ReportedVulnerability`. The image's row says which of them are the base's; that may become known later. */
  layers: z.tuple([z.int(), z.int()]).nullable(),
  cvss_score: z.number().nullable(),
  vendor_severity: vendorSeverity.nullable().default(null),
  /**
   * The score that decides the severity and the tier; null where the label does. Rows of earlier versions have none: there
   * `cvss_score` decides, until the next scan.
   */
  deciding_score: z.number().nullable().optional(),
  /** The scanner's label; it counts where no score decides. */
  label: severity.nullable(),
  /** CVEs that the report gives; the advisories may have more. */
  cves: z.array(z.string()),
  epss: z.object({ percentile: z.number(), date: z.string() }).nullable(),
  kev: z.object({ due_date: z.string().nullable(), ransomware: z.boolean() }).nullable(),
});

export type FindingDetails = z.output<typeof findingDetails>;

/** What a tool says of a finding; feeds add EPSS and KEV. */
export type ReportedDetails = Omit<FindingDetails, 'epss' | 'kev'>;

/** What a container finding keeps in `findings.reports`, by scanner. */
export const reportedFacts = z.record(
  z.string(),
  z.object({ rule_id: z.string(), title: z.string(), details: findingDetails }),
);
