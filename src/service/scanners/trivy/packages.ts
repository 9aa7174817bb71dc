import * as z from 'zod';
import { type ImagePart, imagePartOf, type ReportedVulnerability } from '../image-scan.js';
import { count, listOf, requiredText, textOrEmpty } from '../lenient.js';
import { partOf, type Result } from './results.js';

const packages = listOf(z.object({ Name: requiredText, Version: textOrEmpty, Release: textOrEmpty, Epoch: count }));

/**
 * All packages of each part, as `name@version`: Trivy lists them (`--list-all-pkgs`, on by default in newer versions) whatever
 * it leaves out of their vulnerabilities. A list that lacks the package of a vulnerability is not whole, or writes versions in
 * another way than we do, so it says nothing.
 */
export function packagesOf(
  results: readonly Result[],
  vulnerabilities: readonly ReportedVulnerability[],
): ReadonlyMap<ImagePart, ReadonlySet<string>> {
  const listed = new Map<ImagePart, Set<string>>();
  for (const result of results) {
    const rows = packages.parse(result.Packages);
    if (rows.length === 0) continue;
    const part = partOf(result);
    const known = listed.get(part) ?? new Set();
    for (const { Name, ...parts } of rows) known.add(`${Name}@${versionOf(parts)}`);
    listed.set(part, known);
  }
  for (const { packageName, packageVersion, packageType } of vulnerabilities) {
    const part = imagePartOf(packageType);
    if (listed.get(part)?.has(`${packageName}@${packageVersion}`) === false) listed.delete(part);
  }
  return listed;
}

/** As Trivy writes the version of an installed package. */
function versionOf({ Version, Release, Epoch }: Omit<z.output<typeof packages>[number], 'Name'>): string {
  const version = Release === '' ? Version : `${Version}-${Release}`;
  return Epoch === null || Epoch === 0 ? version : `${Epoch}:${version}`;
}
