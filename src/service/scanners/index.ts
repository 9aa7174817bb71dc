import type { DomainOf, ScannedDomain, ScannerFormat } from '../../procedures/scanner-formats.js';
import { wordList } from '../../shared/text/number-text.js';
import { grype } from './grype/index.js';
import { Intake } from './intake.js';
import { unreadableReport } from './parse-report.js';
import { sarif } from './sarif/index.js';
import { hasKey, type Report, type Scanner, type Scans } from './scanner.js';
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
): Promise<{ readonly format: string; readonly scan: Scans[Domain]; readonly intake: Intake }> {
  const all: [string, Scanner][] = Object.entries(scanners);
  const candidates = all.filter((entry): entry is [string, Scanner<Domain>] => entry[1].domain === domain);
  const [only, ...others] = candidates;
  const found = others.length === 0 ? only : candidates.find(([, { detect }]) => detect(report));
  if (found === undefined) {
    const marks = candidates.map(([, { mark }]) => mark);
    const advice = isSbom(report) ? ': it is an SBOM, which belongs to the tech stack' : '';
    throw unreadableReport(domain, '', `has neither ${wordList(marks, 'nor')}${advice}`);
  }
  const [format, { read }] = found;
  const intake = new Intake(domain);
  return { format, scan: await read(report, intake), intake };
}

/** Whether a report is a CycloneDX or SPDX document, which scanners of images write too. */
function isSbom(report: Report): boolean {
  return ['bomFormat', 'spdxVersion'].some((key) => hasKey(report, key));
}
