import { readGemfile } from '../gemfile.js';
import { PackageList, type Reading } from '../package-list.js';
import { closestToProduction, scopesFrom } from '../scopes.js';
import { LockfileError, refuseConflict, type Source } from '../source.js';

/** `    nokogiri (1.16.0-x86_64-linux)`, and below it `      racc (~> 1.4)`. */
const spec = /^ {4}(\S+) \(([^)]+)\)$/;
const need = /^ {6}(\S+?)!?(?: \([^)]*\))?$/;
const dependency = /^ {2}(\S+?)!?(?: \([^)]*\))?$/;

interface Gem {
  readonly name: string;
  readonly version: string;
  readonly section: string;
  readonly needs: string[];
}

const elsewhere: Readonly<Record<string, string>> = {
  GIT: 'comes from a Git repository',
  PATH: 'is a folder of the project',
  'PLUGIN SOURCE': 'comes from a plugin of Bundler',
};

/**
 * Gemfile.lock (https://bundler.io/man/bundle-lock.1.html). A gem is listed once for every platform; that is one package.
 * The Gemfile beside it tells which groups a gem is for.
 */
export async function readGemfileLock(source: Source): Promise<Reading> {
  const { gems, asked } = parse(source);
  const named = await readGemfile(source);
  const development = new Set(named?.filter(({ scope }) => scope === 'development').map(({ name }) => name));
  // A gem may be named twice, for two groups or platforms.
  for (const { name, scope } of named ?? []) if (scope !== 'development') development.delete(name);
  const entrances = {
    runtime: asked.filter((name) => !development.has(name)),
    optional: [],
    development: asked.filter((name) => development.has(name)),
  };
  const scopes = scopesFrom(entrances, (name) => ({ required: gems.get(name)?.needs ?? [], optional: [] }));
  const direct = new Set(asked);

  const list = new PackageList(source.file, 'RubyGems');
  for (const { name, version, section, needs } of gems.values()) {
    const place = elsewhere[section];
    if (place !== undefined) list.skip(place);
    else {
      list.add({
        key: name,
        name,
        version,
        scope: closestToProduction([scopes.get(name)]),
        direct: direct.has(name),
        deprecated: null,
        dependencies: needs,
      });
    }
  }
  return list.finish();
}

function parse(source: Source): { readonly gems: ReadonlyMap<string, Gem>; readonly asked: readonly string[] } {
  refuseConflict(source);
  const gems = new Map<string, Gem>();
  const asked: string[] = [];
  let section = '';
  let gem: Gem | undefined;
  for (const [index, line] of source.text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    if (/^[A-Z][A-Z ]*$/.test(line)) {
      section = line;
      gem = undefined;
    } else if (section === '' || !line.startsWith(' ')) {
      throw new LockfileError(source.file, `line ${index + 1}: expected a section such as GEM or DEPENDENCIES`);
    } else if (section === 'DEPENDENCIES') {
      const name = dependency.exec(line)?.[1];
      if (name !== undefined) asked.push(name);
    } else if (section === 'GEM' || Object.hasOwn(elsewhere, section)) {
      const [, name, version] = spec.exec(line) ?? [];
      const needed = need.exec(line)?.[1];
      if (name !== undefined && version !== undefined) {
        // A version of a gem holds no hyphen here: what follows one is the platform.
        gem = gems.get(name) ?? { name, version: version.split('-', 1)[0] ?? version, section, needs: [] };
        gems.set(name, gem);
      } else if (needed !== undefined) gem?.needs.push(needed);
    }
  }
  if (section === '') throw new LockfileError(source.file, 'is not a Gemfile.lock: expected a section such as GEM');
  return { gems, asked };
}
