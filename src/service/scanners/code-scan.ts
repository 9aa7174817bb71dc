import * as z from 'zod';
import { onOneLine } from '../../shared/text/cut.js';
import type { FindingSeverity } from '../../shared/vulnerability-terms.js';
import type { Filter } from '../findings/filter.js';
import type { FindingRow } from '../findings/finding-row.js';
import type { ReportedFinding, Searched } from '../findings/scan.js';

/** What a report of static analysis says. */
export interface CodeScan {
  /** The analyses that came to their end. */
  readonly searched: readonly Searched[];
  readonly findings: readonly ReportedFinding[];
  /** As `Scan.filters`. */
  readonly filters: readonly Filter[];
  readonly startedAt: Date | null;
  /** When the newest of the analyses ended; null where one does not say. */
  readonly reportedAt: Date | null;
}

/** What a finding in code keeps in `findings.details`. */
export const codeDetails = z.object({
  message: z.string(),
  /** Relative to the repository's root. */
  file: z.string().nullable(),
  line: z.int().nullable(),
  cwes: z.array(z.string()),
  help_url: z.string().nullable(),
  /** Ids of vulnerabilities that the rule's texts or the tags name; absent where they name none. */
  vulnerabilities: z.array(z.string()).optional(),
  /** See `isProductionPath`; such a finding is ranked as reachable. */
  in_production: z.boolean().default(false),
});

export type CodeDetails = z.infer<typeof codeDetails>;

/**
 * The tier of a finding in code. A dependency's tier also depends on how likely an exploit is (EPSS, KEV). For a project's
 * code nobody can predict that, but its weakness is at a known place and the team can correct it. So severity alone decides,
 * and high is RED.
 */
export const codeTiers = {
  critical: 'RED',
  high: 'RED',
  medium: 'YELLOW',
  low: 'GREEN',
  info: 'GREEN',
} as const satisfies Record<FindingSeverity, FindingRow['tier']>;

/** A tool's name, of at most 200 characters. It has no comma: that separates the tools of a scan job. */
export function toolName(name: string): string {
  return onOneLine(name.replaceAll(',', ' '), 200) || 'unnamed tool';
}
