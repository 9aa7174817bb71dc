import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { normaliseName, parsePurl } from '../../shared/packages/purl.js';
import { compareVersions } from '../matching/versions/index.js';
import type { NamedThing, VersionClaim } from './statement.js';
import { isInVersRange } from './vers.js';

/** A package of a known ecosystem that a document names, in the versions that it speaks of. */
export interface PackageClaim {
  readonly ecosystem: Ecosystem;
  /** As the registry compares it. */
  readonly package_name: string;
  /** Null: all versions that `claim` allows. */
  readonly version: string | null;
  readonly claim: VersionClaim | null;
  /** The part of the package URL by which it means only some builds, or a part, of a version; null where it means all. */
  readonly narrowed: string | null;
}

/** The packages of known ecosystems among a thing's package URLs. */
export function packageClaims({ purls, version, claim }: NamedThing): PackageClaim[] {
  return purls.flatMap((purl) => {
    const coordinate = parsePurl(purl);
    if (coordinate === null) return [];
    const { ecosystem, name } = coordinate;
    return [
      {
        ecosystem,
        package_name: normaliseName(ecosystem, name),
        version: coordinate.version ?? version,
        claim,
        narrowed: narrowing(purl),
      },
    ];
  });
}

/** Qualifiers that tell builds of one version apart, with the values that mean the ordinary build (purl-spec, `types`). */
const buildQualifiers: Readonly<Record<string, readonly string[]>> = {
  arch: ['any', 'all', 'noarch'],
  os: ['any'],
  goos: [],
  goarch: [],
  distro: [],
  classifier: [],
  platform: ['ruby'],
  type: ['jar', 'module', 'package'],
};

/** A tech stack knows versions, and no builds or parts of them. The other qualifiers say where a package comes from. */
function narrowing(purl: string): string | null {
  const [beforePart, part] = purl.split('#', 2);
  if (part !== undefined && part !== '') return `#${part}`;
  const [, qualifiers = ''] = beforePart?.split('?', 2) ?? [];
  const narrow = qualifiers.split('&').find((pair) => {
    const [key = '', value = ''] = pair.toLowerCase().split('=', 2);
    return Object.hasOwn(buildQualifiers, key) && buildQualifiers[key]?.includes(value) === false;
  });
  return narrow ?? null;
}

/** Whether the claim is also of this installed version. Versions compare as their ecosystem's do. */
export function isOfVersion({ ecosystem, version, claim }: PackageClaim, installed: string): boolean {
  if (version !== null && !isSameVersion(ecosystem, version, installed)) return false;
  return (
    claim === null ||
    claim.versions.some((each) => isSameVersion(ecosystem, each, installed)) ||
    claim.ranges.some((range) => isInVersRange(range, ecosystem, installed) === true)
  );
}

function isSameVersion(ecosystem: Ecosystem, a: string, b: string): boolean {
  return a === b || compareVersions(ecosystem, a, b) === 0;
}
