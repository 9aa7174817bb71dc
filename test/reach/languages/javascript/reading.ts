import { walkTree } from '../../../../src/reach/analysis/tree.js';
import { javascriptReader } from '../../../../src/reach/languages/javascript/reader.js';
import type { LanguageFindings, PackageSite } from '../../../../src/reach/languages/language-reader.js';
import { folderWith } from '../../folder.js';

export interface Read extends LanguageFindings {
  readonly sitesOf: (packageName: string) => PackageSite[];
  /** Names of the packages that production reaches by an import that runs. */
  readonly reached: string[];
  readonly entryFiles: string[];
}

/** Reads a tree of these files, in which the lock file has these packages. */
export async function read(
  files: Readonly<Record<string, string | Buffer>>,
  packages: readonly string[],
  entries: readonly string[] = [],
): Promise<Read> {
  return readFolder(folderWith(files), packages, entries);
}

export async function readFolder(
  folder: string,
  packages: readonly string[],
  entries: readonly string[] = [],
): Promise<Read> {
  const known = packages.map((name) => ({ ecosystem: 'npm' as const, name, version: '1.0.0' }));
  const findings = await javascriptReader.analyze(await walkTree(folder), known, { entries });
  const runs = ({ kind, typeOnly, mock }: PackageSite) => kind !== 'mention' && !typeOnly && !mock;
  const reached = findings.uses.filter(({ site }) => site.reached && runs(site)).map(({ packageName }) => packageName);
  return {
    ...findings,
    sitesOf: (packageName) => findings.uses.filter((use) => use.packageName === packageName).map(({ site }) => site),
    reached: [...new Set(reached)].sort(),
    entryFiles: findings.entries.map(({ file }) => file),
  };
}

/** The one site of a package in a tree of one file. */
export async function siteIn(source: string, file = 'index.js', packageName = 'a'): Promise<PackageSite | undefined> {
  return (await read({ [file]: source }, [packageName])).sitesOf(packageName)[0];
}
