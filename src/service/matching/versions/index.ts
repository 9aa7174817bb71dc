import type { Ecosystem } from '../../../shared/packages/ecosystem.js';
import { crates } from './crates.js';
import { go } from './go.js';
import { maven } from './maven.js';
import { npm } from './npm.js';
import { nuget } from './nuget.js';
import { maxVersionLength, type Ordering } from './ordering.js';
import { packagist } from './packagist.js';
import { pypi } from './pypi.js';
import { rubygems } from './rubygems.js';

type WithOrdering = <Result>(use: <Parsed>(ordering: Ordering<Parsed>) => Result) => Result;

/** Each ecosystem's ordering, behind a function because each has its own type of parsed versions. */
const orderings: Readonly<Record<Ecosystem, WithOrdering>> = {
  npm: (use) => use(npm),
  PyPI: (use) => use(pypi),
  Go: (use) => use(go),
  'crates.io': (use) => use(crates),
  Maven: (use) => use(maven),
  RubyGems: (use) => use(rubygems),
  NuGet: (use) => use(nuget),
  Packagist: (use) => use(packagist),
};

/** Calls `use` with the ecosystem's ordering, so that versions can be parsed once and compared many times. */
export function withOrdering<Result>(
  ecosystem: Ecosystem,
  use: <Parsed>(ordering: Ordering<Parsed>) => Result,
): Result {
  return orderings[ecosystem](use);
}

/** Compares two versions: negative, 0 or positive; null where one of them is not a version of this ecosystem. */
export function compareVersions(ecosystem: Ecosystem, a: string, b: string): number | null {
  return withOrdering(ecosystem, (ordering) => {
    const left = ordering.parse(a);
    const right = ordering.parse(b);
    return left === null || right === null ? null : ordering.compare(left, right);
  });
}

/** Whether the text has a place in the order of this ecosystem's versions. At most 256 characters. */
export function isComparable(ecosystem: Ecosystem, text: string): boolean {
  return withOrdering(ecosystem, (ordering) => ordering.parse(text) !== null);
}

/** Whether the order decides about it: the text has a place there, and stands for one release and no branch. */
export function isOneRelease(ecosystem: Ecosystem, text: string): boolean {
  return withOrdering(ecosystem, (ordering) => {
    const version = ordering.parse(text);
    return version !== null && ordering.isOpenEnded?.(version) !== true;
  });
}

/** Whether it is a version that the ecosystem's tools install, comparable or not: a branch of Composer is one. */
export function isVersion(ecosystem: Ecosystem, text: string): boolean {
  return withOrdering(
    ecosystem,
    (ordering) =>
      ordering.parse(text) !== null ||
      (text.length <= maxVersionLength && ordering.isUnordered?.(text.trim()) === true),
  );
}

/** Whether the version comes before its release: alpha, rc, dev, snapshot, a Go pseudo-version, a numeric branch. */
export function isPrerelease(ecosystem: Ecosystem, text: string): boolean {
  return withOrdering(ecosystem, (ordering) => {
    const version = ordering.parse(text);
    return version !== null && ordering.isPrerelease(version);
  });
}
