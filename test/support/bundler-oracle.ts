import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { walkTree } from '../../src/reach/analysis/tree.js';
import { javascriptReader } from '../../src/reach/languages/javascript/reader.js';
import type { PackageSite } from '../../src/reach/languages/language-reader.js';

/** The packages that a tree's entries import: as a bundler has it, and as the analysis has it. */
export interface Comparison {
  readonly bundled: readonly string[];
  readonly reached: readonly string[];
  readonly missed: readonly string[];
  readonly more: readonly string[];
}

/** Of several comparisons together, from 0 to 1: what share of the bundler's packages is found, and of the found is right. */
export interface Agreement {
  readonly packages: number;
  readonly recall: number;
  readonly precision: number;
}

/** Both shares at their least. */
export const leastAgreement = { recall: 0.995, precision: 0.98 } as const;

/**
 * Reads a tree from its entries, and compares what packages they come to with a bundler that leaves packages outside.
 *
 * @param given files, and folders whose every source is an entry (`commands/*`): what is loaded by a name that is computed
 *   at run time is not seen by the bundler
 */
export async function compareWithBundler(folder: string, given: readonly string[]): Promise<Comparison> {
  const entries = given.flatMap((entry) => (entry.endsWith('/*') ? sourcesIn(folder, entry.slice(0, -2)) : entry));
  const bundled = await bundle(folder, entries);
  const tree = await walkTree(folder);
  // Every name that stands in the tree like a specifier is known, so that nothing is missed for want of a lock file.
  const names = new Set([...bundled, ...namesIn(folder)]);
  const known = [...names].map((name) => ({ ecosystem: 'npm' as const, name, version: '1.0.0' }));
  const { uses } = await javascriptReader.analyze(tree, known, { entries });
  const runs = ({ reached, typeOnly, kind }: PackageSite) =>
    reached && !typeOnly && kind !== 'mention' && kind !== 'resolve';
  const reached = [...new Set(uses.filter(({ site }) => runs(site)).map(({ packageName }) => packageName))].sort();
  return {
    bundled,
    reached,
    missed: bundled.filter((name) => !reached.includes(name)),
    more: reached.filter((name) => !bundled.includes(name)),
  };
}

export function agreementOf(comparisons: readonly Comparison[]): Agreement {
  const sum = (count: (one: Comparison) => number) => comparisons.reduce((total, one) => total + count(one), 0);
  const packages = sum(({ bundled }) => bundled.length);
  const both = packages - sum(({ missed }) => missed.length);
  const found = sum(({ reached }) => reached.length);
  return { packages, recall: packages === 0 ? 1 : both / packages, precision: found === 0 ? 1 : both / found };
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isOutside(specifier: string): boolean {
  return (
    !/^(?:[./#]|@\/|node:|@app\/)/.test(specifier) && !builtinModules.includes(specifier) && !specifier.startsWith('\0')
  );
}

/** A `require` that the module makes itself: the bundler follows calls of the one that it knows alone. */
const ownRequire = /^(?:const|let|var) require = (?:\w+\.)?createRequire\(import\.meta\.url\);?$/gm;

async function bundle(folder: string, entries: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const build = await rolldown({
    cwd: folder,
    input: [...entries],
    platform: 'node',
    logLevel: 'silent',
    treeshake: false,
    tsconfig: existsSync(join(folder, 'tsconfig.json')),
    external: (specifier, _, isResolved) => {
      if (isResolved || !isOutside(specifier)) return false;
      found.add(packageOf(specifier));
      return true;
    },
    plugins: [{ name: 'plain-require', transform: (code) => code.replace(ownRequire, '') }],
  });
  await build.generate({ format: 'esm' });
  await build.close();
  return [...found].sort();
}

const source = /(?<!\.d)\.[mc]?[jt]sx?$/;

function sourcesIn(folder: string, below: string): string[] {
  return readdirSync(join(folder, below)).flatMap((name) => (source.test(name) ? `${below}/${name}` : []));
}

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile() || !source.test(entry.name)) return [];
    const specifiers = readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(
      /["']((?:@[\w-]+\/)?[\w.-]+)(?:\/[\w./-]*)?["']/g,
    );
    return Array.from(specifiers, ([, name = '']) => name).filter(isOutside);
  });
}
