import { posix } from 'node:path';
import { rowsOf, setsOf } from '../../knowledge/knowledge.js';
import { createReader } from '../create-reader.js';
import type { HiddenUse, Language, Target } from '../language.js';
import { packageTable } from '../package-table.js';
import { either } from '../patterns.js';
import { resemblanceFinder } from '../resembles.js';
import { roleByPath } from '../roles.js';
import { namedLibraries } from './named-libraries.js';
import { type ParsedRuby, parseRuby } from './requires.js';

const conventions = [
  [/(?:^|\/)(?:spec|test|features)\/|_(?:spec|test)\.rb$/, 'test'],
  [/(?:^|\/)(?:Rakefile|Guardfile|Capfile|Dangerfile|Fastfile)$|\.rake$/, 'script'],
  [/(?:^|\/)(?:Gemfile|gems\.rb|Vagrantfile)$|\.gemspec$/, 'config'],
] as const;

const standardLibrary = setsOf('ruby/libraries')('standardLibrary');

const sources = either(
  '',
  /\.(?:rb|rake|gemspec|ru|jbuilder|rabl|builder|arb|axlsx|prawn|thor|erb|haml|slim)$/,
  /(?:^|\/)(?:Gem|Rake|Guard|Cap|Fast|Danger|Vagrant)file$/,
);
const shebang = /^#!.*\b(?:ruby|jruby|rake|rails|thor)\b/;

/** What Rails loads without a require, below the application's folder. */
const inRails = either(
  '',
  /^(?:app|packs|engines|components|config\/(?:initializers|environments))\//,
  /^config\/(?:routes|environment)\.rb$/,
  /^lib\/(?!tasks\/|generators\/|templates\/)/,
);

const ruby: Language<ParsedRuby> = {
  name: 'Ruby',
  ecosystem: 'RubyGems',
  reads: (path) => sources.test(path),
  mayRead: (path) => /(?:^|\/)[\w-]+$/.test(path),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    const { gemsOf, gemNamed, startingWith } = gemFinder(packageNames);
    const known = new Set(packageNames);
    const libraries = namedLibraries(gemNamed);
    const resembling = resemblanceFinder(packageNames);
    return {
      parse: (path, text) => (sources.test(path) || shebang.test(text) ? parseRuby(path, text, startingWith) : null),
      async connect(tree, files) {
        const gemsByPath = new Map([...files.values()].flatMap((each) => [...each.gemsByPath]));
        const loaders = [...files].filter(([path, { loadsBundle }]) => loadsBundle && ruby.roleOf(path) === 'prod');
        const roots = new Set(['']);
        for (const path of files.keys()) {
          const folder = /^(.*?)(?:^|\/)lib\//.exec(path);
          if (folder !== null) roots.add(folder[0]);
        }
        const unowned = (path: string, needsNoPackage: boolean): HiddenUse | null => {
          const hides = needsNoPackage ? [] : resembling(path.split('/', 1)[0] ?? path);
          return hides.length === 0 ? null : { kind: 'unowned_import', detail: path, hides };
        };
        const find = (path: string) => [path, `${path}.rb`].filter((each) => files.has(each));
        return {
          mentions: libraries.mentionsIn(tree),
          sameUnit(file) {
            const gemfiles = files.get(file)?.loadsBundle ? ['Gemfile', 'gems.rb'] : [];
            if (!/(?:^|\/)config\/application\.rb$/.test(file)) return gemfiles;
            // Rails loads these folders without a require.
            const root = file.slice(0, -'config/application.rb'.length);
            return [
              ...gemfiles,
              ...[...files.keys()].filter((each) => each.startsWith(root) && inRails.test(each.slice(root.length))),
            ];
          },
          target(file, { target }): Target {
            const separator = target.indexOf(':');
            const path = target.slice(separator + 1);
            const packages = (names: readonly string[]) => names.map((name) => ({ name, subpath: null }));
            switch (target.slice(0, separator)) {
              case 'gem':
              case 'unloaded':
                return {
                  files: [],
                  packages: packages(loaders.length > 0 && known.has(path) ? [path] : []),
                  needsNoPackage: true,
                };
              case 'named':
                return { files: [], packages: packages(libraries.gemsOf(path)), needsNoPackage: true };
              case 'constant':
                return { files: [], packages: packages(gemsOf(snakeCase(path))), needsNoPackage: true };
              case 'relative':
                return {
                  files: find(posix.normalize(posix.join(posix.dirname(file), path))),
                  packages: [],
                  needsNoPackage: true,
                  hidden: { kind: 'unresolved_import', detail: path, hides: 'any' },
                };
              default: {
                const found = [...roots].flatMap((root) => find(`${root}${path}`));
                const said = gemsByPath.get(path);
                const gems = said !== undefined && known.has(said) ? [said] : gemsOf(path);
                const needsNoPackage = isNoGem(path);
                return {
                  files: found,
                  packages: packages(gems),
                  needsNoPackage,
                  hidden: unowned(path, needsNoPackage),
                };
              }
            }
          },
        };
      },
    };
  },
};

/** Whether a path is that of a file, or of a library that comes with Ruby. */
function isNoGem(path: string): boolean {
  const [first = ''] = path.split('/', 1);
  return /^[./]/.test(path) || standardLibrary.has(path) || standardLibrary.has(first);
}

/** `Rack::AttackError` as a path: `rack/attack_error`. */
function snakeCase(name: string): string {
  return name
    .replaceAll('::', '/')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase();
}

/** Parts of a path that may belong to a gem's name: `aws-sdk-s3/client`, `net/ssh`. */
const maxNameParts = 4;

/**
 * Finds the gem that a required path comes from, among those that the lock files name. It is the longest beginning of the
 * path that is a gem's name, where `/`, `-` and `_` count the same. A whole path that fits is certain, a beginning likely.
 */
function gemFinder(packageNames: readonly string[]) {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[-_/.]/g, '');
  const byName = new Map(packageNames.map((name) => [plain(name), name]));
  const table = packageTable(rowsOf('ruby/gems'), (gem) => (byName.get(plain(gem)) === gem ? gem : undefined));
  const gemsOf = (path: string): readonly string[] => {
    const parts = path.split('/').slice(0, maxNameParts);
    // `Aws::S3::Client` is of aws-sdk-s3, which is required as `aws-sdk-s3`.
    const service = parts[0] === 'aws' ? byName.get(plain(`aws-sdk-${parts[1] ?? 'core'}`)) : undefined;
    if (service !== undefined) return [service];
    for (let length = parts.length; length > 0; length--) {
      const beginning = parts.slice(0, length).join('/');
      const found = byName.get(plain(beginning));
      if (found !== undefined) return [found];
      const listed = table.get(beginning);
      if (listed !== undefined && listed.length > 0) return listed.slice(0, 1);
    }
    const [first = ''] = parts;
    const likely = [`${first}-ruby`, `ruby-${first}`, `${first}-rails`].flatMap(
      (name) => byName.get(plain(name)) ?? [],
    );
    return likely.slice(0, 1);
  };
  return {
    gemsOf,
    gemNamed: (name: string) => byName.get(plain(name)),
    startingWith: (beginning: string) => packageNames.filter((name) => plain(name).startsWith(plain(beginning))),
  };
}

/** Reads Ruby: required paths, the gems that Bundler.require loads from the Gemfile, and constants named like a gem. */
export const rubyReader = createReader(ruby);
