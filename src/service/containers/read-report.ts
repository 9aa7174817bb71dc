import { unreadableReport } from '../findings/report-refusal.js';
import { readGrype } from '../scanners/grype/report.js';
import type { ContainerReport } from '../scanners/image-report.js';
import { readTrivy } from '../scanners/trivy/report.js';

/** Vulnerabilities of one report; the largest images have some thousands. */
const mostVulnerabilities = 100_000;

/** Reads a report of Trivy (schema 2) or Grype, while others have their turn. Refuses anything else, saying where it differs. */
export async function readContainerReport(report: Readonly<Record<string, unknown>>): Promise<ContainerReport> {
  const read = await readByShape(report);
  const count = read.vulnerabilities.length;
  if (count > mostVulnerabilities) {
    const message = `at most ${mostVulnerabilities} vulnerabilities are taken at once, not ${count}`;
    throw unreadableReport('not_container_report', '', message);
  }
  return read;
}

/** `SchemaVersion` is Trivy's, `matches` is Grype's; their SBOMs and other forms have neither. */
function readByShape(report: Readonly<Record<string, unknown>>): Promise<ContainerReport> {
  if (Object.hasOwn(report, 'SchemaVersion')) return readTrivy(report);
  if (Object.hasOwn(report, 'matches')) return readGrype(report);
  throw unreadableReport('not_container_report', '', 'has neither SchemaVersion (Trivy) nor matches (Grype)');
}
