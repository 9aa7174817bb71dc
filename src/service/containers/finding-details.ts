import * as z from 'zod';
import { severity } from '../../procedures/vulnerability.js';

/** What a container finding keeps in `findings.details`. */
export const findingDetails = z.object({
  package: z.object({ name: z.string(), version: z.string(), type: z.string() }),
  path: z.string().nullable(),
  fixed_version: z.string().nullable(),
  /** As in `ReportedVulnerability`. The image's row says which of them are the base's; that may become known later. */
  layers: z.tuple([z.int(), z.int()]).nullable(),
  cvss_score: z.number().nullable(),
  /** The scanner's label; it counts where there is no score. */
  label: severity.nullable(),
  /** CVEs that the report gives; the advisories may have more. */
  cves: z.array(z.string()),
  epss: z.object({ percentile: z.number(), date: z.string() }).nullable(),
  kev: z.object({ due_date: z.string().nullable(), ransomware: z.boolean() }).nullable(),
});

export type FindingDetails = z.output<typeof findingDetails>;
