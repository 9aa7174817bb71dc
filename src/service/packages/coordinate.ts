import type { Reason } from '../../procedures/problem.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageVersion } from '../../shared/packages/package-name.js';
import { parsePurl } from '../../shared/packages/purl.js';
import { purlFault } from '../../shared/packages/purl-fault.js';
import { isVersion } from '../matching/versions/index.js';

/** How a caller names a package: a versioned package URL, or ecosystem, name and version (see `packageInput`). */
export interface NamedPackage {
  readonly purl?: string | undefined;
  readonly ecosystem?: Ecosystem | undefined;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

export interface PackageVersion {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** Which field of a named package cannot be used, and why. */
export interface CoordinateFault {
  readonly field: 'purl' | 'version';
  readonly reason: Reason;
}

/** The package that a caller names, or the fault of that name. */
export function readCoordinate(named: NamedPackage): PackageVersion | CoordinateFault {
  const field = named.purl === undefined ? 'version' : 'purl';
  const { ecosystem, name, version: given } = (named.purl === undefined ? named : parsePurl(named.purl)) ?? {};
  if (ecosystem === undefined || name === undefined || given === undefined || given === null) {
    return { field: 'purl', reason: purlFault(named.purl ?? '') };
  }
  const version = versionOf(ecosystem, name, given);
  return packageVersion.safeParse(version).success && isVersion(ecosystem, version)
    ? { ecosystem, name: nameOf(ecosystem, name), version }
    : { field, reason: 'not_a_version' };
}

/** What comes with Go itself: its library and tools, and their packages. The paths of modules begin with a domain. */
const isOfGo = /^[^./]+(?:\/|$)/;

/** The name as advisories write it: tools of CycloneDX call Go's standard library `std`. */
export function nameOf(ecosystem: Ecosystem, name: string): string {
  return ecosystem === 'Go' && name === 'std' ? 'stdlib' : name;
}

/** The version as advisories write it: Go's `go1.21rc2` is `1.21.0-rc.2`. */
export function versionOf(ecosystem: Ecosystem, name: string, version: string): string {
  if (ecosystem !== 'Go' || !isOfGo.test(name)) return version;
  return version.replace(/^go(?=\d)/, '').replace(/^(\d+\.\d+)(rc|beta)(\d+)$/, '$1.0-$2.$3');
}
