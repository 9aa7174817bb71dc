import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { walkTree } from '../../src/reach/analysis/tree.js';
import { javascriptReader } from '../../src/reach/languages/javascript/reader.js';
import type { PackageSite } from '../../src/reach/languages/language-reader.js';

/** The packages that a tree imports from its entry points, by a bundler and by the analysis. */
export interface Comparison {
  readonly bundled: readonly string[];
  readonly reached: readonly string[];
  readonly missed: readonly string[];
  readonly more: readonly string[];
}

/** Over several comparisons, from 0 to 1: the share of the bundler's packages that is found, and of the found ones that is right. */
export interface Agreement {
  readonly packages: number;
  readonly recall: number;
  readonly precision: number;
}

/** The lowest accepted shares. */
export const minAgreement = { recall: 0.995, precision: 0.98 } as const;

/**
 * Compares the packages that a tree imports from its entry points with those that a bundler finds.
 *
 * @param given files, and folders whose sources are all entry points (`commands/*`), because the bundler does not know
 *   modules whose names are computed at run time
 */
export async function compareWithBundler(folder: string, given: readonly string[]): Promise<Comparison> {
  const entries = given.flatMap((entry) => (entry.endsWith('/*') ? sourcesIn(folder, entry.slice(0, -2)) : entry));
  const bundled = await bundle(folder, entries);
  const tree = await walkTree(folder);
  // Every name in quotes that may be a specifier counts as locked, so that no package is missed without a lock file.
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

/** A `require` from createRequire. The bundler only knows calls of the global one, so this declaration is removed. */
const createdRequire = /^(?:const|let|var) require = (?:\w+\.)?createRequire\(import\.meta\.url\);?$/gm;

/** Those that have another name are called like the global one. */
const otherRequire = /([\w$]+) = (?:\w+\.)?createRequire\(import\.meta\.url\)/g;

function withPlainRequire(code: string): string {
  const names = Array.from(code.matchAll(otherRequire), ([, name = '']) => name).filter((name) => name !== 'require');
  return names.reduce((text, name) => text.replaceAll(`${name}(`, 'require('), code.replace(createdRequire, ''));
}

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
    plugins: [{ name: 'plain-require', transform: withPlainRequire }],
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
