import { satisfies, valid } from 'semver';
import { frameworksOf } from '../../../knowledge/knowledge.js';

const frameworks = frameworksOf().flatMap(({ name, packages, loads, anyCase }) =>
  loads.map(({ versions, files, routes }) => ({
    name,
    packages,
    versions: Object.entries(versions),
    files: wholePath(files, anyCase),
    routes: wholePath(routes, false),
  })),
);

function wholePath(patterns: readonly string[], anyCase: boolean): RegExp {
  return new RegExp(patterns.length === 0 ? '(?!)' : `^(?:${patterns.join('|')})$`, anyCase ? 'i' : '');
}

/** The packages of a folder: those that it declares, and their versions in the lock files; none where these do not say. */
export interface DeclaredPackages {
  has(name: string): boolean;
  versions(name: string): readonly string[];
}

/** Folders of a repository that hold applications, where these may have no package.json of their own (Nx, Angular, Nest). */
const applicationFolder = /^(?:apps|packages|libs|projects|services|sites|layers|examples)\/[^/]+\//;

/**
 * The framework of a package that loads a file because of its path; null if none does.
 *
 * @param isInTests the file lies in a folder with a name of tests: only a convention that makes it a route counts
 */
export function frameworkLoading(pathInPackage: string, declared: DeclaredPackages, isInTests: boolean): string | null {
  const stem = pathInPackage.replace(/\.[^./]+$/, '');
  const stems = [stem];
  for (let rest = stem; applicationFolder.test(rest) && stems.length < 3; ) {
    rest = rest.replace(applicationFolder, '');
    stems.push(rest);
  }
  const found = frameworks.find(
    ({ packages, versions, files, routes }) =>
      (packages.length === 0 || packages.some((name) => declared.has(name))) &&
      versions.every(([name, range]) => mayBeIn(range, declared.versions(name))) &&
      stems.some((one) => routes.test(one) || (!isInTests && files.test(one))),
  );
  return found?.name ?? null;
}

/** Whether one of these versions is in a range. A version that is not known may be. */
function mayBeIn(range: string, versions: readonly string[]): boolean {
  const isIn = (version: string) => valid(version) === null || satisfies(version, range, { includePrerelease: true });
  return versions.length === 0 || versions.some(isIn);
}
