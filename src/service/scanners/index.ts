import type { DomainOf, ScannedDomain, ScannerFormat } from '../../procedures/scanner-formats.js';
import { wordList } from '../../shared/text/word-list.js';
import { grype } from './grype/index.js';
import { unreadableReport } from './parse-report.js';
import { sarif } from './sarif/index.js';
import type { Report, Scanner, Scans } from './scanner.js';
import { trivy } from './trivy/index.js';
import { zap } from './zap/index.js';

/** The scanner of each listed format. */
export const scanners = { sarif, zap, trivy, grype } as const satisfies {
  readonly [Format in ScannerFormat]: Scanner<DomainOf<Format>>;
};

/** Reads a report of one of the domain's formats. Rejects any other report, and says where it differs. */
export async function readReport<Domain extends ScannedDomain>(
  domain: Domain,
  report: Report,
): Promise<{ readonly format: string; readonly scan: Scans[Domain] }> {
  const all: [string, Scanner][] = Object.entries(scanners);
  const candidates = all.filter((entry): entry is [string, Scanner<Domain>] => entry[1].domain === domain);
  const [only, ...others] = candidates;
  const found = others.length === 0 ? only : candidates.find(([, { detect }]) => detect(report));
  if (found === undefined) {
    const marks = candidates.map(([, { mark }]) => mark);
    throw unreadableReport(domain, '', `has neither ${wordList(marks, 'nor')}`);
  }
  const [format, { read }] = found;
  return { format, scan: await read(report) };
}
