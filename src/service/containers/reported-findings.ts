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
 * The tool of all container findings. Scanners of images look for the same things, unlike those of code: the newest
 * report of an image replaces the one before, whichever scanner wrote it, so that nothing is counted twice.
 */
export const containerTool = 'image-scan';

/** Characters kept of a report's texts. */
const limits = { id: 128, title: 300, name: 256, version: 256, path: 1024 } as const;

/** A finding before our intelligence has said what it thinks of it. */
export interface UnevaluatedFinding {
  readonly identity: Buffer;
  /** As the report spells it. */
  readonly id: string;
  readonly title: string;
  readonly suppressed: boolean;
  readonly own: Omit<FindingDetails, 'epss' | 'kev'>;
}

/** The findings of a report, each vulnerability of a package once. */
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
 * What makes a finding the same one in the next report of its image: vulnerability, package, type, and, for packages of a
 * language, the place: an image may hold one many times, and each is to be upgraded. The version is no part of it, nor is
 * it one of the place (`log4j-core-2.14.1.jar`): a package that is upgraded and still vulnerable is the same finding.
 */
function identityParts({ id, packageName, packageType, path, packageVersion }: ReportedVulnerability): string[] {
  return [id, packageName, packageType, path === null ? '' : withoutVersion(path.replace(/^\/+/, ''), packageVersion)];
}

function withoutVersion(path: string, version: string): string {
  if (version === '' || version.length > limits.version) return path;
  const literal = version.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return path.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), '*');
}

/** One finding of what the report tells of the same vulnerability, at several versions perhaps (in one lock file, say). */
function toUnevaluated(same: readonly ReportedVulnerability[]): UnevaluatedFinding[] {
  const [first] = same;
  if (first === undefined) return [];
  const { id, packageName, packageType: type, path } = first;
  const version = together(same.map(({ packageVersion }) => packageVersion));
  const own = {
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
  return [{ identity: identityOf(identityParts(first)), id, title, suppressed, own }];
}

/** The finding as our intelligence judges it. */
export function evaluated(
  { identity, id, title, suppressed, own }: UnevaluatedFinding,
  known: Intelligence,
): ReportedFinding {
  const { tier, cve, epss, kev_added: kevAdded, epssDetails, kev } = evaluate(id, own, known);
  const details: FindingDetails = { ...own, epss: epssDetails, kev };
  return {
    tool: containerTool,
    identity,
    ruleId: clip(id, limits.id),
    title,
    severity: findingSeverityOf(own.cvss_score, own.label),
    tier,
    suppressed,
    cve,
    epss,
    kevAdded,
    details,
  };
}

function together(versions: readonly string[]): string {
  return [...new Set(versions)].sort().join(', ');
}

/** From the first to the last layer that any of them can have come with; null where the report does not tell of one. */
function spanOf(layers: readonly ReportedVulnerability['layers'][]): FindingDetails['layers'] {
  const told = layers.filter((each) => each !== null);
  if (told.length < layers.length) return null;
  return [Math.min(...told.map(([from]) => from)), Math.max(...told.map(([, to]) => to))];
}
