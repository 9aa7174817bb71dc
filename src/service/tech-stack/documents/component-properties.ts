import type { Ecosystem } from '../../../shared/packages/ecosystem.js';
import type { Scope } from '../stack-package.js';

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

/** The property of the maintainers' deprecation notice, for which CycloneDX has no field. */
export const deprecationProperty = 'postern:package:deprecated';

interface Property {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}

/** In CycloneDX, `excluded` components are only there at build or test time, `optional` ones can be left out. */
export function scopeOf(scope: string | undefined, properties: readonly Property[]): Scope {
  if (properties.some(({ name = '', value }) => value === 'true' && knownProperties.includes(name))) {
    return 'development';
  }
  return scope === 'optional' || scope === 'excluded' ? 'optional' : 'runtime';
}
