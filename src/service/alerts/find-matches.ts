import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Severity } from '../../shared/vulnerability-terms.js';
import { type Affected, isAffected } from '../matching/affected.js';
import { nearestSafeVersion } from '../matching/safe-version.js';
import { compareVersions } from '../matching/versions/index.js';

/** What an advisory says of one package. */
export interface PackageAdvisory {
  readonly id: string;
  readonly cves: readonly string[];
  readonly published: Date | null;
  readonly summary: string;
  readonly severity: Severity | null;
  readonly cvss_version: string | null;
  readonly cvss_score: number | null;
  readonly cvss_vector: string | null;
  readonly malicious: boolean;
  readonly affected: Affected;
}

/** A package of a tech stack: all tracked versions, and all advisories that count for it. */
export interface TrackedVersions {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  /** As a manifest spells it; of several spellings the lowest. */
  readonly name: string;
  readonly versions: readonly string[];
  readonly advisories: readonly PackageAdvisory[];
}

/** One vulnerability of one package: what an alert is about. */
export interface Match {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly name: string;
  readonly vulnerability_id: string;
  /** At least one. Those of GHSA first, then by id: facts are taken from the first one that has them. */
  readonly advisories: readonly PackageAdvisory[];
  /** Tracked versions that any of the advisories affects, lowest first. */
  readonly versions: readonly string[];
  /** The lowest version above all of `versions` without a known vulnerability. */
  readonly safe_version: string | null;
}

/**
 * The vulnerability that each advisory of a package is about: its lowest CVE, or the advisory's id where it has no CVE.
 *
 * OSV.dev exports give each record of an alias group the CVEs of the whole group (lodash: CVE-2021-23337 and
 * CVE-2026-4800, with different ranges). One database does not describe a flaw twice. So of two of its records with the
 * same CVEs, the one published first gets the lowest CVE and the other the next one. Otherwise the first would hide the
 * second.
 */
export function vulnerabilityIds(advisories: readonly PackageAdvisory[]): Map<string, string> {
  const claimed = new Set<string>();
  const claim = (id: string, cve: string) => claimed.add(`${databaseOf(id)} ${cve}`);
  for (const { id, cves } of advisories) if (cves.length === 1) for (const cve of cves) claim(id, cve);
  const ids = new Map<string, string>();
  for (const { id, cves } of [...advisories].sort(byPublication)) {
    const [lowest, ...others] = [...cves].sort();
    const isFree = (cve: string) => !claimed.has(`${databaseOf(id)} ${cve}`);
    const chosen = others.length === 0 ? lowest : ([lowest ?? '', ...others].find(isFree) ?? lowest);
    if (chosen !== undefined) claim(id, chosen);
    ids.set(id, chosen ?? id);
  }
  return ids;
}

/** `GHSA` for `GHSA-35jh-r3h4-6jhm`. */
function databaseOf(id: string): string {
  return id.slice(0, id.indexOf('-'));
}

function byPublication(a: PackageAdvisory, b: PackageAdvisory): number {
  return (a.published?.getTime() ?? Infinity) - (b.published?.getTime() ?? Infinity) || (a.id < b.id ? -1 : 1);
}

/** The package's vulnerabilities. Advisories about the same one can have different ranges. */
export function findMatches({ ecosystem, package_name, name, versions, advisories }: TrackedVersions): Match[] {
  const groups = new Map<string, { advisories: PackageAdvisory[]; versions: Set<string> }>();
  const ids = vulnerabilityIds(advisories);
  for (const advisory of [...advisories].sort(byPrecedence)) {
    const affected = versions.filter((version) => isAffected(ecosystem, version, advisory.affected));
    if (affected.length === 0) continue;
    const id = ids.get(advisory.id) ?? advisory.id;
    const group = groups.get(id) ?? { advisories: [], versions: new Set() };
    groups.set(id, group);
    group.advisories.push(advisory);
    for (const version of affected) group.versions.add(version);
  }
  const safeVersionOf = safeVersions(ecosystem, advisories);
  return [...groups].map(([vulnerability_id, group]) => {
    const sorted = [...group.versions].sort((a, b) => compareVersions(ecosystem, a, b) || (a < b ? -1 : 1));
    const safe_version = safeVersionOf(sorted.at(-1) ?? '');
    const identity = { ecosystem, package_name, name, vulnerability_id };
    return { ...identity, advisories: group.advisories, versions: sorted, safe_version };
  });
}

function byPrecedence(a: PackageAdvisory, b: PackageAdvisory): number {
  const rank = Number(b.id.startsWith('GHSA-')) - Number(a.id.startsWith('GHSA-'));
  return rank || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** Remembers safe versions: most vulnerabilities of a package have the same highest affected version. */
function safeVersions(
  ecosystem: Ecosystem,
  advisories: readonly PackageAdvisory[],
): (version: string) => string | null {
  const entries = advisories.map(({ affected }) => affected);
  const known = new Map<string, string | null>();
  return (version) => {
    const found = known.get(version);
    if (found !== undefined) return found;
    const safe = nearestSafeVersion(ecosystem, version, entries);
    known.set(version, safe);
    return safe;
  };
}
