import * as z from 'zod';
import type { ReportedFinding, Searched } from '../findings/scan.js';

/** What a report says of one site of a running application. */
export interface SiteScan {
  /** The findings are kept under it. */
  readonly origin: string;
  /** By what. Empty where one of its alerts could not be read. */
  readonly searched: readonly Searched[];
  readonly findings: readonly ReportedFinding[];
  /** When the report was made; null where it does not say. */
  readonly reportedAt: Date | null;
}

/** What a finding in a running application keeps in `findings.details`. */
export const appDetails = z.object({
  confidence: z.string().nullable(),
  instances: z.array(
    z.object({
      url: z.string(),
      method: z.string().nullable(),
      parameter: z.string().nullable(),
      // Older findings have neither these nor description and references.
      attack: z.string().nullable().default(null),
      evidence: z.string().nullable().default(null),
    }),
  ),
  instance_count: z.int(),
  cwes: z.array(z.string()),
  description: z.string().nullable().default(null),
  solution: z.string().nullable(),
  references: z.array(z.string()).default([]),
  /** Ids of vulnerabilities that the alert's texts or tags name; absent where they name none. */
  vulnerabilities: z.array(z.string()).optional(),
});

export type AppDetails = z.infer<typeof appDetails>;

/** Scheme, host and port of an address, as browsers compare them and ZAP names sites. Null for what is no address. */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  return host === '' ? null : `${protocol}//${host}`;
}
