import type { Ecosystem } from '../../../shared/packages/ecosystem.js';
import { crates } from './crates.js';
import { go } from './go.js';
import { maven } from './maven.js';
import { npm } from './npm.js';
import { nuget } from './nuget.js';
import type { Ordering } from './ordering.js';
import { packagist } from './packagist.js';
import { pypi } from './pypi.js';
import { rubygems } from './rubygems.js';

/** Calls `use` with the ecosystem's ordering, so that versions can be parsed once and compared many times. */
export function withOrdering<Result>(
  ecosystem: Ecosystem,
  use: <Parsed>(ordering: Ordering<Parsed>) => Result,
): Result {
  switch (ecosystem) {
    case 'npm':
      return use(npm);
    case 'PyPI':
      return use(pypi);
    case 'Go':
      return use(go);
    case 'crates.io':
      return use(crates);
    case 'Maven':
      return use(maven);
    case 'RubyGems':
      return use(rubygems);
    case 'NuGet':
      return use(nuget);
    case 'Packagist':
      return use(packagist);
  }
}

/** Compares two versions: negative, 0 or positive; null where one of them is not a version of this ecosystem. */
export function compareVersions(ecosystem: Ecosystem, a: string, b: string): number | null {
  return withOrdering(ecosystem, (ordering) => {
    const left = ordering.parse(a);
    const right = ordering.parse(b);
    return left === null || right === null ? null : ordering.compare(left, right);
  });
}

/** Whether the text is a version of this ecosystem, of at most 256 characters. */
export function isVersion(ecosystem: Ecosystem, text: string): boolean {
  return withOrdering(ecosystem, (ordering) => ordering.parse(text) !== null);
}

/** Whether the version comes before its release: alpha, rc, dev, snapshot, a Go pseudo-version, a branch. */
export function isPrerelease(ecosystem: Ecosystem, text: string): boolean {
  return withOrdering(ecosystem, (ordering) => {
    const version = ordering.parse(text);
    return version !== null && ordering.isPrerelease(version);
  });
}
