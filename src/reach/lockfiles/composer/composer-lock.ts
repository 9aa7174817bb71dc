import * as z from 'zod';
import { ranges } from '../manifest.js';
import { PackageList, type Reading, type Scope, type Unplaced } from '../package-list.js';
import { askersFrom, rangesOf } from '../ranges.js';
import { parseJson, parseShape, type Source } from '../source.js';

/** Constraints by name. PHP writes an empty one as a list. */
const links = z
  .union([z.record(z.string(), z.unknown()), z.array(z.never())])
  .default({})
  .transform((value) => Object.entries(value));

const origin = z.object({ type: z.string().optional(), url: z.string().optional() }).nullish().catch(null);

const composerPackage = z.object({
  name: z.string(),
  version: z.string(),
  abandoned: z.union([z.boolean(), z.string()]).default(false),
  require: links,
  replace: links,
  provide: links,
  suggest: links,
  dist: origin,
  source: origin,
  // Only a registry asks to be told of an installation.
  'notification-url': z.unknown().optional(),
});

const lock = z.object({
  packages: z.array(composerPackage),
  'packages-dev': z.array(composerPackage).nullish(),
});

const composerJson = z.object({ require: ranges, 'require-dev': ranges });

type ComposerPackage = z.output<typeof composerPackage>;

/** composer.lock. Direct packages come from the composer.json in its folder; packages that PHP ships are not listed. */
export async function readComposerLock(source: Source): Promise<Reading> {
  const { packages, 'packages-dev': development } = parseShape(source, lock, parseJson(source));
  const all = [...packages, ...(development ?? [])];
  const manifest = await source.readRelative('composer.json');
  const project = manifest && parseShape(manifest, composerJson, parseJson(manifest));
  const asks = [project?.require, project?.['require-dev']].flatMap((section) => Object.entries(section ?? {}));
  const askersOf = askersFrom(asks.map(([name, range]) => [name.toLowerCase(), 'composer.json', range]));
  const keys = new Map<string, string>();
  for (const { name, replace, provide } of all) {
    for (const [other] of [...replace, ...provide]) if (!keys.has(other)) keys.set(other, name);
  }
  for (const { name } of all) keys.set(name, name);
  const keysFor = (wanted: ComposerPackage['require']) => wanted.flatMap(([name]) => keys.get(name) ?? []);

  const list = new PackageList(source.file, 'Packagist');
  const hasRegistry = all.some((each) => each['notification-url'] !== undefined);
  const add = (scope: Scope) => (found: ComposerPackage) => {
    const elsewhere = elsewhereOf(found, hasRegistry);
    if (elsewhere !== null) list.doubt({ name: found.name, ...elsewhere, at: found.name });
    list.add({
      key: found.name,
      name: found.name,
      version: found.version,
      scope,
      ...(project === null ? { direct: null } : askersOf(found.name.toLowerCase())),
      deprecated: abandonment(found.abandoned),
      dependencies: keysFor(found.require),
      // A constraint on what a package replaces or provides is none on the package itself.
      ...rangesOf(
        found.require.flatMap(([name, range]) =>
          keys.get(name) === name && typeof range === 'string' ? [[name, range] as const] : [],
        ),
      ),
      ...(scope === 'runtime' && peersOf(keysFor(found.suggest))),
    });
  };
  for (const found of development ?? []) add('development')(found);
  for (const found of packages) add('runtime')(found);
  return list.finish();
}

/**
 * Where a package comes from, if not from a registry: a folder, or a repository that composer.json names. Its version is its own word.
 *
 * @param hasRegistry whether the file shows which of its packages are from a registry
 */
function elsewhereOf(found: ComposerPackage, hasRegistry: boolean): Pick<Unplaced, 'reason' | 'stated'> | null {
  const { dist, source } = found;
  if (dist?.type === 'path') return { reason: 'path', stated: dist.url ?? null };
  if (!hasRegistry || found['notification-url'] !== undefined) return null;
  return { reason: source?.type === 'git' ? 'git' : 'url', stated: source?.url ?? dist?.url ?? null };
}

/** A package suggests those that it uses where they are there: a framework its drivers and adapters. */
function peersOf(suggested: readonly string[]): { readonly peers?: readonly string[] } {
  return suggested.length === 0 ? {} : { peers: suggested };
}

/** For an abandoned package Packagist gives `true`, or the name of its replacement. */
function abandonment(abandoned: boolean | string): string | null {
  if (typeof abandoned === 'string' && abandoned !== '') return `Abandoned; use ${abandoned} instead.`;
  return abandoned === true ? 'Abandoned.' : null;
}
