import { posix } from 'node:path';
import { createReader } from '../create-reader.js';
import type { Language, ParsedFile, Target } from '../language.js';
import type { Entry } from '../language-reader.js';
import { longestPrefix } from '../longest-prefix.js';
import { remembering } from '../package-table.js';
import { roleByPath } from '../roles.js';
import { folderOf, fromFoldersAbove, isWithin } from '../tree-path.js';
import { withMentions } from '../with-mentions.js';
import { parsePhp } from './imports.js';
import { type ComposerManifests, readManifests } from './manifests.js';
import { findPhpMentions } from './settings.js';

const conventions = [
  [/(?:^|\/)(?:[Tt]ests?|spec)\/|Test\.php$/, 'test'],
  [/(?:^|\/)(?:\.php-cs-fixer(?:\.dist)?|rector|ecs|phpstan-bootstrap)\.php$/, 'config'],
  [/(?:^|\/)database\/(?:seeders|factories)\//, 'script'],
  [/(?:^|\/)src\/DataFixtures\//, 'script'],
] as const;

/** Files that frameworks load by their place or by a class name: what an autoloader finds, settings, routes and views. */
const frameworks =
  /^(?:laravel\/(?:framework|lumen-framework)|symfony\/(?:framework-bundle|http-kernel)|yiisoft\/yii2|cakephp\/cakephp)$/;
const loadedFolders = ['app', 'bootstrap', 'config', 'routes', 'resources', 'src', 'templates'];

/** What is not in the tree until the application has run. */
const madeByRuns = /(?:^|\/)(?:storage|var|cache|vendor|runtime|tmp)\//;

const php: Language<ParsedFile> = {
  name: 'PHP',
  ecosystem: 'Packagist',
  reads: (path) =>
    /\.(?:php|phtml|inc|module|theme|install)$|(?:^|\/)(?:artisan|yii|spark|craft|occ|bin\/(?:console|cake))$/.test(
      path,
    ),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    return {
      parse: parsePhp,
      async connect(tree, files) {
        const { packagesByPrefix, foldersByPrefix, projects } = readManifests(tree, packageNames);
        const guessed = remembering((name) => guess(name, packageNames));
        const runtime = new Map(
          projects.map(({ folder, requires }) => [folder === '.' ? '' : folder, new Set(requires)]),
        );
        return {
          isForProduction: (file, name) =>
            fromFoldersAbove(folderOf(file), (at) => runtime.get(at))?.has(name) === true,
          entries: frameworkEntries(projects, files.keys()),
          target(file, { target, kind }): Target {
            if (target.startsWith('file:')) return includedFile(file, target.slice('file:'.length), files);
            if (target.startsWith('\\')) return globalClass(target.slice(1), packagesByPrefix);
            const inProject = longestPrefix(target, '\\', foldersByPrefix);
            const rest =
              inProject === null ? '' : target.slice(inProject.length).replace(/^\\/, '').replaceAll('\\', '/');
            const found = [...(foldersByPrefix.get(inProject ?? '') ?? [])]
              .map((folder) => posix.normalize(posix.join(folder, `${rest}.php`)))
              .filter((path) => files.has(path));
            const prefix = longestPrefix(target, '\\', packagesByPrefix);
            const isGuess = prefix === null && kind !== 'mention';
            const names = isGuess
              ? guessed(target.split('\\', 2).join('\\'))
              : [...(packagesByPrefix.get(prefix ?? '') ?? [])];
            return {
              files: found,
              packages: names.map((name) => ({ name, subpath: null })),
              // A class without a namespace is part of PHP or of the project.
              needsNoPackage: inProject !== null || !target.includes('\\'),
            };
          },
        };
      },
    };
  },
};

/** A class without a namespace is of PHP or of the project, or of a package that says so; `_` joins names as in PSR-0. */
function globalClass(name: string, packagesByPrefix: ComposerManifests['packagesByPrefix']): Target {
  const prefix = longestPrefix(name, '_', packagesByPrefix);
  const packages = [...(packagesByPrefix.get(prefix ?? '') ?? [])];
  return { files: [], packages: packages.map((each) => ({ name: each, subpath: null })), needsNoPackage: true };
}

/** A file that another one includes by a path. Without its folder it is sought from the working directory, often the root. */
function includedFile(from: string, path: string, files: ReadonlyMap<string, ParsedFile>): Target {
  const candidates = [posix.join(posix.dirname(from), path), posix.normalize(path)].map((each) =>
    each.replace(/^\/+/, ''),
  );
  const found = candidates.filter((each) => files.has(each)).slice(0, 1);
  const hidden = { kind: 'unresolved_import', detail: path, hides: 'any' } as const;
  const isMade = candidates.some((each) => madeByRuns.test(each));
  return { files: found, packages: [], needsNoPackage: true, hidden: found.length > 0 || isMade ? null : hidden };
}

function frameworkEntries(projects: ComposerManifests['projects'], files: Iterable<string>): Entry[] {
  const all = [...files].filter((file) => php.roleOf(file) === 'prod');
  return projects.flatMap(({ folder, requires, source, files: always }) => {
    const framework = requires.find((name) => frameworks.test(name));
    const loaded = framework === undefined ? [] : [...source, ...loadedFolders.map((each) => posix.join(folder, each))];
    const below = all.filter((file) => loaded.some((each) => isWithin(file, each.replace(/\/$/, ''))));
    return [
      ...always.map((file) => ({ file, why: 'composer.json names it' })),
      ...below.map((file) => ({ file, why: `${framework} loads it` })),
    ];
  });
}

/** `Vendor\Package\…` is often vendor/package: likely where both fit, or where the vendor has only one package. */
function guess(className: string, packageNames: readonly string[]): string[] {
  const [vendor = '', name = ''] = className.toLowerCase().split('\\');
  const plain = (text: string) => text.replaceAll(/[-_.]/g, '');
  const ofVendor = packageNames.filter((each) => plain(each.split('/', 1)[0] ?? '') === vendor);
  const exact = ofVendor.filter((each) => {
    const packageName = plain(each.split('/')[1] ?? '');
    return packageName === name || packageName === `${vendor}${name}` || packageName === vendor;
  });
  if (exact.length > 0) return exact;
  if (ofVendor.length === 1) return ofVendor;
  return packageNames.filter((each) => plain(each.split('/')[1] ?? '') === vendor);
}

/** Reads PHP. A class's package is certain where composer.lock lists its prefix, and likely where the names fit. */
export const phpReader = withMentions(createReader(php), findPhpMentions);
