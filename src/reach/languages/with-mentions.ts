import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { type LanguageReader, noDetails, type PackageUse, type Role, type SearchGap } from './language-reader.js';
import type { SourceTree } from './source-tree.js';

/** What files beside the source say of packages. */
export interface Mentions {
  readonly uses: readonly PackageUse[];
  readonly gaps: readonly SearchGap[];
}

/**
 * Adds to a reader what manifests and settings say: packages that a framework loads, though no code imports them. It is not
 * asked where the lock files have no package of the ecosystem.
 */
export function withMentions(
  reader: LanguageReader,
  find: (tree: SourceTree, packageNames: readonly string[]) => Promise<Mentions>,
): LanguageReader {
  return {
    ...reader,
    async analyze(tree, known, options) {
      const findings = await reader.analyze(tree, known, options);
      const names = new Set(known.filter((each) => each.ecosystem === reader.ecosystem).map(({ name }) => name));
      if (names.size === 0) return findings;
      const { uses, gaps } = await find(tree, [...names]);
      return { ...findings, uses: [...findings.uses, ...uses], gaps: [...findings.gaps, ...gaps] };
    },
  };
}

/** A use without an import: something that runs in the role may load the package. */
export function mention(
  ecosystem: Ecosystem,
  packageName: string,
  { file, line, role }: { readonly file: string; readonly line: number; readonly role: Role },
): PackageUse {
  const site = { file, line, column: 1, kind: 'mention', role, reached: false, ...noDetails } as const;
  return { ecosystem, packageName, site };
}

/** A use without an import that is certain by convention: what runs in the role always loads the package. */
export function loadedByConvention(...[ecosystem, packageName, place]: Parameters<typeof mention>): PackageUse {
  const use = mention(ecosystem, packageName, place);
  return { ...use, site: { ...use.site, kind: 'dynamic' } };
}
