import * as z from 'zod';
import { labelOf, vendorSeverityOf } from '../image-scan.js';
import { orNull, recordOf, text, textOrEmpty } from '../lenient.js';

/** What Trivy says of how bad a vulnerability is (`pkg/fanal/types`, trivy-db's `pkg/types`). */
export const rating = z.object({
  Severity: textOrEmpty,
  SeveritySource: textOrEmpty,
  /** The database that named the package. */
  DataSource: orNull(z.object({ ID: textOrEmpty })),
  /** By source, 0 to 4. */
  VendorSeverity: recordOf(z.number()),
  CVSS: recordOf(z.object({ V2Vector: text, V3Vector: text, V40Vector: text })),
});

type Rated = z.output<typeof rating>;

/**
 * Trivy's severity with its source. Reports of versions before 0.20 name none. Where Trivy knows no severity, that of the
 * database counts that named the package.
 */
export function severityOf({ Severity, SeveritySource, DataSource, VendorSeverity, CVSS }: Rated) {
  const database = DataSource?.ID ?? '';
  const rank = Object.hasOwn(VendorSeverity, database) ? VendorSeverity[database] : undefined;
  const own = vendorSeverityOf(Severity, SeveritySource);
  const word = own === null ? (ranked[rank ?? 0] ?? '') : Severity;
  const source = own === null ? database : SeveritySource;
  return {
    label: labelOf(word),
    vendorSeverity: own ?? vendorSeverityOf(word, source),
    vendorVectors: vectorsBy(CVSS, source),
  };
}

/** Trivy's severities by number; 0 is unknown. */
const ranked = ['', 'low', 'medium', 'high', 'critical'] as const;

/** Vectors, first those of the source that Trivy took the severity from, then GitHub's, NVD's and the other vendors'. */
export function vectorsOf({ CVSS, SeveritySource }: Rated): string[] {
  const names = [...new Set([SeveritySource, 'ghsa', 'nvd', ...Object.keys(CVSS).sort()])];
  return names.flatMap((name) => vectorsBy(CVSS, name));
}

function vectorsBy(CVSS: Rated['CVSS'], source: string): string[] {
  const { V2Vector, V3Vector, V40Vector } = Object.hasOwn(CVSS, source) ? (CVSS[source] ?? {}) : {};
  return [V3Vector, V40Vector, V2Vector].filter((each) => typeof each === 'string');
}
