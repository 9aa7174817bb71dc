import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageName, packageVersion } from '../../shared/packages/package-name.js';
import {
  isKnownPurlType,
  normaliseName,
  type PackageCoordinate,
  purlType,
  readPurl,
} from '../../shared/packages/purl.js';
import { isVersion } from '../matching/versions/index.js';
import type { Component, Sbom } from './cyclonedx.js';
import { identityOf, mergeMentions, type Scope, type StackPackage, toStackPackage } from './stack-package.js';

/** Why a component is not tracked. */
type SkipReason = 'no_purl' | 'not_a_purl' | 'unknown_ecosystem' | 'no_version' | 'not_a_version';

export interface SbomPackages {
  readonly packages: readonly StackPackage[];
  readonly skipped: readonly { readonly reason: SkipReason; readonly count: number }[];
}

/** The packages that an SBOM's components name, each once; and how many components name none, by reason. */
export function packagesOf({ components, direct }: Sbom): SbomPackages {
  const packages = new Map<string, StackPackage>();
  const skipped = new Map<SkipReason, number>();
  for (const component of components) {
    const mention = packageOf(component, direct);
    if (typeof mention === 'string') {
      skipped.set(mention, (skipped.get(mention) ?? 0) + 1);
      continue;
    }
    const identity = identityOf(mention);
    const known = packages.get(identity);
    packages.set(identity, known === undefined ? mention : (mergeMentions(known, mention) ?? known));
  }
  return { packages: [...packages.values()], skipped: [...skipped].map(([reason, count]) => ({ reason, count })) };
}

function packageOf(component: Component, direct: Sbom['direct']): StackPackage | SkipReason {
  const { purl } = component;
  if (purl === undefined) return 'no_purl';
  const coordinate = readPurl(purl);
  if (coordinate === null) {
    const type = purlType(purl);
    return type === null || isKnownPurlType(type) ? 'not_a_purl' : 'unknown_ecosystem';
  }
  const version = coordinate.version ?? component.version;
  if (version === undefined || version === '') return 'no_version';
  const { ecosystem } = coordinate;
  if (!packageVersion.safeParse(version).success || !isVersion(ecosystem, version)) return 'not_a_version';
  const ref = component['bom-ref'] ?? purl;
  return toStackPackage({
    ecosystem,
    name: spelledName(coordinate, component),
    version,
    scope: scopeOf(component),
    direct: direct === null ? null : direct.has(ref),
    deprecated: null,
  });
}

/**
 * The name as the component spells it, where it is the one of its package URL: many tools write URLs in lower case, and some
 * npm packages have a namesake in lower case.
 */
function spelledName({ ecosystem, name }: PackageCoordinate, { group, name: own = '' }: Component): string {
  if (name !== name.toLowerCase() || ecosystem === 'Maven') return name;
  const isSame = (spelling: string) =>
    packageName.safeParse(spelling).success &&
    (spelling.toLowerCase() === name || normaliseName(ecosystem, spelling) === normaliseName(ecosystem, name));
  return [own, `${group}/${own}`].find(isSame) ?? name;
}

/** Characters of the subject in a source's name. */
const maxSubjectLength = 190;

/** For ecosystems that CycloneDX's property taxonomy has no such property for. */
const otherDevelopmentProperty = 'postern:package:development';

/** The property that marks a package for development (CycloneDX property taxonomy, `cdx:npm` and `cdx:composer`). */
export const developmentProperties: Readonly<Record<Ecosystem, string>> = {
  npm: 'cdx:npm:package:development',
  PyPI: otherDevelopmentProperty,
  Go: otherDevelopmentProperty,
  'crates.io': otherDevelopmentProperty,
  Maven: otherDevelopmentProperty,
  RubyGems: otherDevelopmentProperty,
  NuGet: otherDevelopmentProperty,
  Packagist: 'cdx:composer:package:isDevRequirement',
};

const knownProperties: readonly string[] = Object.values(developmentProperties);

/** In CycloneDX, `excluded` components are only there at build or test time, `optional` ones can be left out. */
function scopeOf({ scope, properties = [] }: Component): Scope {
  if (properties.some(({ name = '', value }) => value === 'true' && knownProperties.includes(name))) {
    return 'development';
  }
  return scope === 'optional' || scope === 'excluded' ? 'optional' : 'runtime';
}

/** The source of an SBOM whose uploader names none: one for each described component. */
export function defaultSource({ subject }: Sbom): string {
  const name = (subject ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return name === '' ? 'sbom' : `sbom:${[...name].slice(0, maxSubjectLength).join('')}`;
}
