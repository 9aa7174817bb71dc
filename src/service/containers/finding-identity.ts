import { normaliseName, parsePurl } from '../../shared/packages/purl.js';
import { identityOf } from '../findings/identity.js';
import { isSystemPackage, type ReportedVulnerability } from '../scanners/image-scan.js';
import { commonName, type Intelligence } from './exploitation.js';

/** A vulnerability in a package at its place, in the same words for all scanners. */
export interface Placed {
  /** As the report spells it. */
  readonly id: string;
  readonly name: string;
  /** As the report spells it. */
  readonly givenName: string;
  readonly type: string;
  readonly path: string;
}

/** Characters of a version that are looked for in a path. */
const maxVersion = 256;

/**
 * What identifies a finding in the next report of its image: vulnerability, package and type. For packages of a language it
 * is also the path: an image may have one package many times, and each must be upgraded. The version does not count, not even
 * in the path (`log4j-core-2.14.1.jar`): a package that is upgraded and still vulnerable is the same finding.
 */
export function placeOf(given: ReportedVulnerability): Placed {
  const { id, packageName, packageType: type, path, packageVersion } = given;
  return {
    id,
    name: nameOf(given),
    givenName: packageName,
    type,
    path: path === null ? '' : withoutVersion(path.replace(/^\/+/, ''), packageVersion),
  };
}

/**
 * The name as the package's registry compares it. Grype calls a Maven package by its artifact alone; its package URL also
 * has the group, as Trivy's name has.
 */
function nameOf({ packageName, packageType, purl }: ReportedVulnerability): string {
  if (isSystemPackage(packageType)) return packageName;
  const coordinate = parsePurl(purl ?? '') ?? parsePurl(`pkg:${packageType}/${packageName.replace(':', '/')}`);
  if (coordinate === null) return packageName;
  return normaliseName(coordinate.ecosystem, coordinate.name).toLowerCase();
}

function withoutVersion(path: string, version: string): string {
  if (version === '' || version.length > maxVersion) return path;
  const literal = version.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return path.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), '*');
}

/**
 * The finding's identity, then those under which it may be known: by the report's own words, which earlier versions used
 * and which count again when an advisory gets its CVE later.
 */
export function identitiesOf(
  placed: Placed,
  cves: readonly string[],
  intelligence: Pick<Intelligence, 'advisories'>,
): [Buffer, ...Buffer[]] {
  const { id, name, givenName, type, path } = placed;
  const common = commonName({ id, cves }, intelligence);
  const identity = identityOf([common, name, type, path]);
  const others: Buffer[] = [];
  if (common !== id) others.push(identityOf([id, name, type, path]));
  if (name !== givenName) others.push(identityOf([id, givenName, type, path]));
  return [identity, ...others];
}
