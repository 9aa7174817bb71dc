import type { Releases } from '../../../src/service/registries/releases.js';

/** What a registry has: packages, their versions, and what each needs. The last version is the latest one. */
export type Published = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** The same as registries have answered it, by the package's key. */
export function known(published: Published): ReadonlyMap<string, Releases> {
  return new Map(
    Object.entries(published).map(([name, byVersion]) => {
      const versions = Object.keys(byVersion).toReversed();
      const release = (version: string) => {
        const dependencies = byVersion[version];
        return dependencies && { version, dependencies, deprecated: false, node: null };
      };
      return [`npm ${name}`, { latest: versions[0] ?? null, versions, release }];
    }),
  );
}
