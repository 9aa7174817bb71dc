import type * as z from 'zod';
import { describeInvalid } from '../../procedures/invalid-input.js';
import { unreadableReport } from '../findings/report-refusal.js';
import { grypeReport, readGrype } from './grype-report.js';
import type { ContainerReport } from './report.js';
import { readTrivy, trivyReport } from './trivy-report.js';

/** Vulnerabilities of one report; the largest images have some thousands. */
const mostVulnerabilities = 100_000;

/** Reads a report of Trivy (schema 2) or Grype. Refuses anything else, saying where it differs. */
export function readContainerReport(report: Readonly<Record<string, unknown>>): ContainerReport {
  const read = readByShape(report);
  const count = read.vulnerabilities.length;
  if (count > mostVulnerabilities) {
    const message = `at most ${mostVulnerabilities} vulnerabilities are taken at once, not ${count}`;
    throw unreadableReport('not_container_report', '', message);
  }
  return read;
}

/** `SchemaVersion` is Trivy's, `matches` is Grype's; their SBOMs and other forms have neither. */
function readByShape(report: Readonly<Record<string, unknown>>): ContainerReport {
  if (Object.hasOwn(report, 'SchemaVersion')) return readTrivy(parse(trivyReport, report));
  if (Object.hasOwn(report, 'matches')) return readGrype(parse(grypeReport, report));
  throw unreadableReport('not_container_report', '', 'has neither SchemaVersion (Trivy) nor matches (Grype)');
}

function parse<Schema extends z.ZodObject>(schema: Schema, report: unknown): z.output<Schema> {
  const parsed = schema.safeParse(report);
  if (parsed.success) return parsed.data;
  const [first = { field: '', message: 'cannot be read' }] = describeInvalid(schema, parsed.error);
  throw unreadableReport('not_container_report', first.field, first.message);
}
