import { walkTree } from '../../../src/reach/analysis/tree.js';
import type { KnownPackage, LanguageFindings, LanguageReader } from '../../../src/reach/languages/language-reader.js';
import { folderWith } from '../folder.js';

type Files = Readonly<Record<string, string>>;

/** Reads a tree of these files, with these packages known. */
export async function analyze(
  reader: LanguageReader,
  ecosystem: KnownPackage['ecosystem'],
  packages: readonly string[],
  files: Files,
  entries: readonly string[] = [],
): Promise<LanguageFindings> {
  const known = packages.map((name) => ({ ecosystem, name, version: '1.0.0' }));
  return reader.analyze(await walkTree(folderWith(files)), known, { entries });
}

/** Uses as `package file:line role`, with what is unusual of them. */
export function places({ uses }: LanguageFindings): string[] {
  return uses.map(({ packageName, site }) =>
    [
      packageName,
      `${site.file}:${site.line}:${site.column}`,
      site.role,
      ...(site.kind === 'import' ? [] : [site.kind]),
      ...(site.reached ? ['reached'] : []),
      ...(site.typeOnly ? ['types'] : []),
    ].join(' '),
  );
}

/** All symbols of a package. */
export function symbols({ uses }: LanguageFindings, packageName: string): string[] {
  return [...new Set(uses.flatMap((use) => (use.packageName === packageName ? use.site.symbols : [])))].sort();
}
