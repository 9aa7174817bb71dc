import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { clip, onOneLine } from '../../shared/text/cut.js';
import type { ReportedFinding, Seer } from '../findings/scan.js';
import { imagePartOf, type ReportedVulnerability } from '../scanners/image-scan.js';
import { evaluate, type Intelligence, type Named } from './exploitation.js';
import type { FindingDetails, ReportedDetails } from './finding-details.js';
import { identitiesOf, type Placed, placeOf } from './finding-identity.js';
import { joinFacts, titleOf } from './join-facts.js';
import { rate } from './severity.js';

/**
 * The tool of all container findings. Unlike scanners of code, those of images search for the same things, so a finding is
 * no scanner's own: its sightings say who sees it.
 */
const containerTool = 'image-scan';

/** Characters kept of a report's texts. */
const limits = { id: 128, title: 300, name: 256, version: 256, path: 1024 } as const;

/** A finding whose tier does not consider EPSS and KEV yet: these are read from the database. */
export interface UnevaluatedFinding {
  readonly placed: Placed;
  readonly title: string;
  readonly suppressed: boolean;
  readonly details: ReportedDetails;
}

/** The findings of a report; each vulnerability of a package is one. */
export async function unevaluatedFindings(
  vulnerabilities: readonly ReportedVulnerability[],
): Promise<UnevaluatedFinding[]> {
  const yieldNow = yieldToEventLoop();
  const groups = new Map<string, [Placed, ReportedVulnerability[]]>();
  for (const each of vulnerabilities) {
    await yieldNow();
    const placed = placeOf(each);
    const key = JSON.stringify([placed.id, placed.name, placed.type, placed.path]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [placed, [each]]);
    else group[1].push(each);
  }
  const findings: UnevaluatedFinding[] = [];
  for (const [placed, same] of groups.values()) {
    await yieldNow();
    findings.push(...toUnevaluated(placed, same));
  }
  return findings;
}

/** One finding of all reports of the same vulnerability; a lock file may have the package at several versions. */
function toUnevaluated(placed: Placed, same: readonly ReportedVulnerability[]): UnevaluatedFinding[] {
  const [first] = same;
  if (first === undefined) return [];
  const { id, packageName, packageType: type, path } = first;
  const version = together(same.map(({ packageVersion }) => packageVersion));
  const vectors = same.flatMap((each) => each.vectors);
  const vendorVectors = same.flatMap((each) => each.vendorVectors);
  const details = {
    package: { name: clip(packageName, limits.name), version: clip(version, limits.version), type: clip(type, 64) },
    path: path === null ? null : clip(path, limits.path),
    fixed_version: clip(together(same.flatMap(({ fixedVersion }) => fixedVersion ?? [])), limits.version) || null,
    layers: spanOf(same.map(({ layers }) => layers)),
    ...rate({ ...first, vectors, vendorVectors }),
    cves: [...new Set(same.flatMap(({ relatedCves }) => relatedCves))].sort().slice(0, 20),
  };
  const title = onOneLine(first.title, limits.title) || titleOf(id, packageName);
  return [{ placed, title, suppressed: same.every((each) => each.suppressed), details }];
}

/**
 * The findings with severity, tier, EPSS and KEV. Those that turn out to be the same vulnerability under two names, by the
 * advisories held, are one.
 */
export async function evaluateFindings(
  unevaluated: readonly UnevaluatedFinding[],
  seer: Seer,
  intelligence: Intelligence,
): Promise<ReportedFinding[]> {
  const yieldNow = yieldToEventLoop();
  const findings = new Map<string, ReportedFinding>();
  for (const each of unevaluated) {
    await yieldNow();
    const finding = evaluateFinding(each, seer, intelligence);
    const key = finding.identity.toString('latin1');
    const same = findings.get(key);
    findings.set(key, same === undefined ? finding : oneOf(same, finding, intelligence));
  }
  return [...findings.values()];
}

function evaluateFinding(
  { placed, title, suppressed, details }: UnevaluatedFinding,
  seer: Seer,
  intelligence: Intelligence,
): ReportedFinding {
  const [identity, ...otherIdentities] = identitiesOf(placed, details.cves, intelligence);
  return {
    tool: containerTool,
    seer,
    part: imagePartOf(placed.type),
    identity,
    otherIdentities,
    title,
    suppressed,
    ...evaluated({ id: clip(placed.id, limits.id), cves: details.cves }, details, intelligence),
  };
}

/** The columns that follow from what is reported and from the feeds. */
export function evaluated({ id }: Named, details: ReportedDetails, intelligence: Intelligence) {
  const { epssDetails, kev, ...columns } = evaluate(id, details, intelligence);
  const allDetails: FindingDetails = { ...details, epss: epssDetails, kev };
  return { rule_id: id, ...columns, details: allDetails };
}

function oneOf(one: ReportedFinding, other: ReportedFinding, intelligence: Intelligence): ReportedFinding {
  const { id, title, details } = joinFacts([one, other]);
  return {
    ...one,
    otherIdentities: [...(one.otherIdentities ?? []), ...(other.otherIdentities ?? [])],
    title,
    suppressed: one.suppressed && other.suppressed,
    ...evaluated({ id, cves: details.cves }, details, intelligence),
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
