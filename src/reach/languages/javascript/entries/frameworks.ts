import known from '../../../../../knowledge/javascript/frameworks.json' with { type: 'json' };
import { frameworksOf } from '../../../knowledge/knowledge.js';

const frameworks = frameworksOf(known).map(({ name, packages, files, routes, anyCase }) => ({
  name,
  packages,
  files: wholePath(files, anyCase),
  routes: wholePath(routes, false),
}));

function wholePath(patterns: readonly string[], anyCase: boolean): RegExp {
  return new RegExp(patterns.length === 0 ? '(?!)' : `^(?:${patterns.join('|')})$`, anyCase ? 'i' : '');
}

/** Folders of a repository that hold applications, where these may have no package.json of their own (Nx, Angular, Nest). */
const applicationFolder = /^(?:apps|packages|libs|projects|services|sites|layers|examples)\/[^/]+\//;

/**
 * The framework of a package that loads a file because of its path; null if none does.
 *
 * @param isInTests the file lies in a folder with a name of tests: only a convention that makes it a route counts
 */
export function frameworkLoading(
  pathInPackage: string,
  declared: { has(name: string): boolean },
  isInTests: boolean,
): string | null {
  const stem = pathInPackage.replace(/\.[^./]+$/, '');
  const stems = [stem];
  for (let rest = stem; applicationFolder.test(rest) && stems.length < 3; ) {
    rest = rest.replace(applicationFolder, '');
    stems.push(rest);
  }
  const found = frameworks.find(
    ({ packages, files, routes }) =>
      (packages.length === 0 || packages.some((name) => declared.has(name))) &&
      stems.some((one) => routes.test(one) || (!isInTests && files.test(one))),
  );
  return found?.name ?? null;
}
