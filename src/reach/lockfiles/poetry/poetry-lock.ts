import * as z from 'zod';
import { normalisePython } from '../names.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { closestToProduction, type Edges, scopesFrom } from '../scopes.js';
import { parseShape, parseToml, type Source } from '../source.js';
import { type PythonRequirements, readPyproject } from './pyproject.js';

const constraint = z.object({ optional: z.boolean().optional() });

const poetryPackage = z.object({
  name: z.string(),
  version: z.string(),
  optional: z.boolean().default(false),
  // Until lock-version 1.1, and since 2.1: what asks for it.
  category: z.string().optional(),
  groups: z.array(z.string()).optional(),
  source: z.object({ type: z.string().optional() }).optional(),
  dependencies: z.record(z.string(), z.union([z.string(), constraint, z.array(constraint)])).default({}),
});

const lock = z.object({
  package: z.array(poetryPackage).default([]),
  metadata: z.object({ 'content-hash': z.string() }),
});

type PoetryPackage = z.output<typeof poetryPackage>;

/** What Poetry calls a package that no registry has. */
const elsewhere: Readonly<Record<string, string>> = {
  git: 'comes from a Git repository',
  url: 'comes from a URL',
  file: 'is a file of the project',
  directory: 'is a folder of the project',
};

/**
 * poetry.lock (https://python-poetry.org/docs/basic-usage/). Its groups tell the scope; where it has none (lock-version
 * 2.0) the pyproject.toml beside it does, which also tells what is direct.
 */
export async function readPoetryLock(source: Source): Promise<Reading> {
  const { package: found } = parseShape(source, lock, parseToml(source));
  const asked = await readPyproject(source);
  const direct = asked && new Set(Object.values(asked).flat());
  const keys = new Map<string, string[]>();
  for (const each of found) {
    const name = normalisePython(each.name);
    keys.set(name, [...(keys.get(name) ?? []), keyOf(each)]);
  }
  const follow = (names: readonly string[]) => names.flatMap((name) => keys.get(normalisePython(name)) ?? []);
  const scopes = scopesByManifest(found, asked, follow);

  const list = new PackageList(source.file, 'PyPI');
  for (const each of found) {
    const place = elsewhere[each.source?.type ?? ''];
    if (place !== undefined) list.skip(place);
    else {
      list.add({
        key: keyOf(each),
        name: each.name,
        version: each.version,
        scope: scopeInLock(each) ?? closestToProduction([scopes.get(keyOf(each))]),
        direct: direct?.has(normalisePython(each.name)) ?? null,
        deprecated: null,
        dependencies: follow(Object.keys(each.dependencies)),
      });
    }
  }
  return list.finish();
}

function keyOf({ name, version }: PoetryPackage): string {
  return `${normalisePython(name)}@${version}`;
}

function scopeInLock({ category, groups, optional }: PoetryPackage): Scope | null {
  const asking = groups ?? (category === undefined ? null : [category]);
  if (asking === null) return null;
  if (!asking.includes('main')) return 'development';
  return optional ? 'optional' : 'runtime';
}

function scopesByManifest(
  found: readonly PoetryPackage[],
  asked: PythonRequirements | null,
  follow: (names: readonly string[]) => string[],
): ReadonlyMap<string, Scope> {
  if (asked === null) return new Map(found.flatMap((each) => (each.optional ? [[keyOf(each), 'optional']] : [])));
  const edges = new Map<string, Edges>();
  for (const each of found) {
    const wanted = Object.entries(each.dependencies);
    edges.set(keyOf(each), {
      required: follow(wanted.flatMap(([name, how]) => (isOptional(how) ? [] : name))),
      optional: follow(wanted.flatMap(([name, how]) => (isOptional(how) ? name : []))),
    });
  }
  const entrances = {
    runtime: follow(asked.runtime),
    optional: follow(asked.optional),
    development: follow(asked.development),
  };
  return scopesFrom(entrances, (key) => edges.get(key) ?? { required: [], optional: [] });
}

function isOptional(how: PoetryPackage['dependencies'][string]): boolean {
  if (typeof how === 'string') return false;
  return Array.isArray(how) ? how.every(({ optional }) => optional === true) : how.optional === true;
}
