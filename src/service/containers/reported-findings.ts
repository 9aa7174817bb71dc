import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { clip, onOneLine } from '../../shared/text/clip.js';
import { identityOf } from '../findings/identity.js';
import type { ReportedFinding } from '../findings/scan.js';
import { chooseCvss } from '../matching/cvss.js';
import type { ReportedVulnerability } from '../scanners/image-scan.js';
import { evaluate, type Intelligence } from './exploitation.js';
import type { FindingDetails } from './finding-details.js';
import { findingSeverityOf } from './severity.js';

/**
 * The tool of all container findings. Unlike scanners of code, those of images search for the same things. So the newest
 * report of an image replaces the one before, whichever scanner wrote it, and nothing is counted twice.
 */
export const containerTool = 'image-scan';

/** Characters kept of a report's texts. */
const limits = { id: 128, title: 300, name: 256, version: 256, path: 1024 } as const;

/** A finding whose tier does not consider EPSS and KEV yet: these are read from the database. */
export interface UnevaluatedFinding {
  readonly identity: Buffer;
  /** As the report spells it. */
  readonly id: string;
  readonly title: string;
  readonly suppressed: boolean;
  readonly details: Omit<FindingDetails, 'epss' | 'kev'>;
}

/** The findings of a report; each vulnerability of a package is one. */
export async function unevaluatedFindings(
  vulnerabilities: readonly ReportedVulnerability[],
): Promise<UnevaluatedFinding[]> {
  const yieldNow = yieldToEventLoop();
  const groups = new Map<string, ReportedVulnerability[]>();
  for (const each of vulnerabilities) {
    await yieldNow();
    const key = JSON.stringify(identityParts(each));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  const findings: UnevaluatedFinding[] = [];
  for (const same of groups.values()) {
    await yieldNow();
    findings.push(...toUnevaluated(same));
  }
  return findings;
}

/**
 * What identifies a finding in the next report of its image: vulnerability, package and type. For packages of a language it
 * is also the path: an image may have one package many times, and each must be upgraded. The version does not count, not even
 * in the path (`log4j-core-2.14.1.jar`): a package that is upgraded and still vulnerable is the same finding.
 */
function identityParts({ id, packageName, packageType, path, packageVersion }: ReportedVulnerability): string[] {
  return [id, packageName, packageType, path === null ? '' : withoutVersion(path.replace(/^\/+/, ''), packageVersion)];
}

function withoutVersion(path: string, version: string): string {
  if (version === '' || version.length > limits.version) return path;
  const literal = version.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return path.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), '*');
}

/** One finding of all reports of the same vulnerability; a lock file may have the package at several versions. */
function toUnevaluated(same: readonly ReportedVulnerability[]): UnevaluatedFinding[] {
  const [first] = same;
  if (first === undefined) return [];
  const { id, packageName, packageType: type, path } = first;
  const version = together(same.map(({ packageVersion }) => packageVersion));
  const details = {
    package: { name: clip(packageName, limits.name), version: clip(version, limits.version), type: clip(type, 64) },
    path: path === null ? null : clip(path, limits.path),
    fixed_version: clip(together(same.flatMap(({ fixedVersion }) => fixedVersion ?? [])), limits.version) || null,
    layers: spanOf(same.map(({ layers }) => layers)),
    cvss_score: chooseCvss(same.flatMap(({ vectors }) => vectors))?.score ?? null,
    label: first.label,
    cves: [...new Set(same.flatMap(({ relatedCves }) => relatedCves))].sort().slice(0, 20),
  };
  const title = onOneLine(first.title, limits.title) || onOneLine(`${id} in ${packageName}`, limits.title);
  const suppressed = same.every((each) => each.suppressed);
  return [{ identity: identityOf(identityParts(first)), id, title, suppressed, details }];
}

/** The finding with tier, EPSS and KEV. */
export function evaluateFinding(
  { identity, id, title, suppressed, details }: UnevaluatedFinding,
  intelligence: Intelligence,
): ReportedFinding {
  const { epssDetails, kev, ...columns } = evaluate(id, details, intelligence);
  const allDetails: FindingDetails = { ...details, epss: epssDetails, kev };
  return {
    tool: containerTool,
    identity,
    rule_id: clip(id, limits.id),
    title,
    severity: findingSeverityOf(details.cvss_score, details.label),
    suppressed,
    ...columns,
    details: allDetails,
  };
}

function together(versions: readonly string[]): string {
  return [...new Set(versions)].sort().join(', ');
}

/** From the first to the last layer that may have brought any of them; null where the report does not say it of each. */
function spanOf(layers: readonly ReportedVulnerability['layers'][]): FindingDetails['layers'] {
  const known = layers.filter((each) => each !== null);
  if (known.length < layers.length) return null;
  return [Math.min(...known.map(([from]) => from)), Math.max(...known.map(([, to]) => to))];
}
