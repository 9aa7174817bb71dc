import type { FoundGap } from '../../../src/reach/analysis/found-gap.js';
import type { TreeLockfile } from '../../../src/reach/analysis/tree-lockfiles.js';
import type { PackageSite, PackageUse } from '../../../src/reach/languages/language-reader.js';
import type { LockedPackage } from '../../../src/reach/lockfiles/package-list.js';

type Given = Partial<LockedPackage> & { readonly needs?: readonly string[] };

/** A lock file of npm packages, each given by its `name@version`; `needs` are the keys it depends on. */
export function lockfile(packages: Readonly<Record<string, Given>>, more: Partial<TreeLockfile> = {}): TreeLockfile {
  return {
    path: 'package-lock.json',
    folder: '',
    kind: 'package-lock.json',
    sha256: 'a'.repeat(64),
    packages: Object.entries(packages).map(([identity, { needs = [], ...given }]) => {
      const at = identity.lastIndexOf('@');
      return {
        key: identity,
        ecosystem: 'npm',
        name: identity.slice(0, at),
        version: identity.slice(at + 1),
        scope: 'runtime',
        direct: false,
        deprecated: null,
        dependencies: needs,
        ...given,
      };
    }),
    ...more,
  };
}

/** A place in production code that an entry point reaches. */
export function site(more: Partial<PackageSite> = {}): PackageSite {
  return {
    file: 'src/a.ts',
    line: 1,
    column: 1,
    kind: 'import',
    role: 'prod',
    reached: true,
    typeOnly: false,
    mock: false,
    subpath: null,
    symbols: [],
    symbolsComplete: true,
    ...more,
  };
}

export function use(packageName: string, more: Partial<PackageSite> = {}): PackageUse {
  return { ecosystem: 'npm', packageName, site: site(more) };
}

/** A place that may use any package of npm. */
export const gap: FoundGap = {
  kind: 'unknown_dynamic',
  ecosystem: 'npm',
  file: 'src/a.ts',
  line: 12,
  detail: 'require(…)',
  hides: 'any',
};
