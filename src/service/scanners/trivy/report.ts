import * as z from 'zod';
import { type ImageScan, imageNameOf, type ReportedVulnerability } from '../image-scan.js';
import type { Intake } from '../intake.js';
import { orNull, text, textOrEmpty } from '../lenient.js';
import { parseReport } from '../parse-report.js';
import { reportTime } from '../report-time.js';
import { hasKey, type Report } from '../scanner.js';
import { readCluster } from './cluster.js';
import { imageFactsOf, layerPlaces, metadata } from './metadata.js';
import { packagesOf } from './packages.js';
import { leaveOutOthers, partsOf, readVulnerabilities, resultsIn } from './results.js';

/** Trivy's JSON of schema 2 as far as vulnerabilities need it (`pkg/types/report.go`). */
const trivyReport = z.object({
  SchemaVersion: z.literal(2),
  ArtifactName: textOrEmpty,
  ArtifactType: textOrEmpty,
  CreatedAt: text,
  Metadata: orNull(metadata),
  Results: z.unknown().optional(),
});

/** Reads Trivy's report of an image, or of the images of a cluster. */
export async function readTrivy(given: Report, intake: Intake): Promise<ImageScan[]> {
  if (hasKey(given, 'ClusterName')) return readCluster(given, intake);
  const report = parseReport('containers', trivyReport, given);
  const facts = imageFactsOf(report.Metadata);
  const layers = layerPlaces(facts);
  const results = resultsIn(report.Results, ['Results'], intake);
  const vulnerabilities: ReportedVulnerability[] = [];
  for (const each of results) {
    await readVulnerabilities(each, layers, vulnerabilities, intake);
    leaveOutOthers(each, intake);
  }
  intake.requireReadable(false);
  const isImage = report.ArtifactType === 'container_image';
  return [
    {
      ...facts,
      seer: { tool: 'trivy', scope: [isImage ? 'image' : 'files'] },
      // What is missing in a report with unreadable rows may still be there.
      filters: 'unstated',
      packages: packagesOf(results, vulnerabilities),
      parts: intake.skipped > 0 ? [] : partsOf(results),
      reportedAt: reportTime(report.CreatedAt),
      imageName: isImage ? imageNameOf(report.ArtifactName, report.Metadata?.RepoTags ?? []) : null,
      artifact: isImage ? null : (artifacts[report.ArtifactType] ?? 'another thing'),
      vulnerabilities,
    },
  ];
}

/** What Trivy scans besides images (`pkg/fanal/artifact`). */
const artifacts: Readonly<Record<string, string>> = {
  filesystem: 'a file system',
  repository: 'a repository',
  cyclonedx: 'a CycloneDX SBOM',
  spdx: 'an SPDX SBOM',
  vm: 'a virtual machine',
  aws_account: 'an AWS account',
};
