import { posix } from 'node:path';
import * as z from 'zod';
import { createReader } from '../create-reader.js';
import type { Language, ParsedFile, Target } from '../language.js';
import { longestPrefix } from '../longest-prefix.js';
import { jsonOrNull } from '../manifest-text.js';
import { roleByPath } from '../roles.js';
import type { SourceTree } from '../source-tree.js';
import { parsePhp } from './imports.js';

const conventions = [
  [/(?:^|\/)(?:[Tt]ests?|spec)\/|Test\.php$/, 'test'],
  [/(?:^|\/)(?:\.php-cs-fixer(?:\.dist)?|rector|ecs|phpstan-bootstrap)\.php$/, 'config'],
  [/(?:^|\/)database\/(?:seeders|factories)\//, 'script'],
] as const;

const folders = z
  .record(
    z.string(),
    z.union([z.string(), z.array(z.string())]).transform((folder) => [folder].flat()),
  )
  .catch({});
const autoload = z.object({ 'psr-4': folders, 'psr-0': folders }).catch({ 'psr-4': {}, 'psr-0': {} });
const locked = z.array(z.object({ name: z.string(), autoload })).catch([]);
const composerLock = z.object({ packages: locked, 'packages-dev': locked }).catch({ packages: [], 'packages-dev': [] });
const composerJson = z
  .object({ autoload, 'autoload-dev': autoload })
  .catch({ autoload: { 'psr-4': {}, 'psr-0': {} }, 'autoload-dev': { 'psr-4': {}, 'psr-0': {} } });

/** Prefixes of class names without the last backslash, and the packages or folders that they lead to. */
type Prefixes = Map<string, Set<string>>;

const php: Language<ParsedFile> = {
  name: 'PHP',
  ecosystem: 'Packagist',
  reads: (path) => /\.(?:php|phtml|inc)$|(?:^|\/)(?:artisan|bin\/console)$/.test(path),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    return {
      parse: parsePhp,
      async connect(tree, files) {
        const { packagesByPrefix, foldersByPrefix } = readManifests(tree, packageNames);
        return {
          target(file, { target }): Target {
            if (target.startsWith('file:')) {
              const path = posix.normalize(posix.join(posix.dirname(file), target.slice('file:'.length)));
              return { files: files.has(path) ? [path] : [], packages: [], needsNoPackage: true };
            }
            const inProject = longestPrefix(target, '\\', foldersByPrefix);
            const rest =
              inProject === null ? '' : target.slice(inProject.length).replace(/^\\/, '').replaceAll('\\', '/');
            const found = [...(foldersByPrefix.get(inProject ?? '') ?? [])]
              .map((folder) => posix.normalize(posix.join(folder, `${rest}.php`)))
              .filter((path) => files.has(path));
            const prefix = longestPrefix(target, '\\', packagesByPrefix);
            const names = prefix === null ? guess(target, packageNames) : [...(packagesByPrefix.get(prefix) ?? [])];
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

/** Prefixes of class names: composer.lock has those of packages, composer.json those of the project. */
function readManifests(tree: SourceTree, packageNames: readonly string[]) {
  const known = new Set(packageNames);
  const packagesByPrefix: Prefixes = new Map();
  const foldersByPrefix: Prefixes = new Map();
  const add = (prefixes: Prefixes, prefix: string, value: string) => {
    const key = prefix.replace(/[\\_]+$/, '');
    prefixes.set(key, (prefixes.get(key) ?? new Set()).add(value));
  };
  for (const { path } of tree.files) {
    const name = posix.basename(path);
    if (name === 'composer.lock') {
      const lock = composerLock.parse(jsonOrNull(tree.read(path)));
      for (const each of [...lock.packages, ...lock['packages-dev']].filter((each) => known.has(each.name))) {
        const prefixes = Object.keys({ ...each.autoload['psr-4'], ...each.autoload['psr-0'] });
        for (const prefix of prefixes) if (prefix !== '') add(packagesByPrefix, prefix, each.name);
      }
    } else if (name === 'composer.json') {
      const manifest = composerJson.parse(jsonOrNull(tree.read(path)));
      for (const section of [manifest.autoload['psr-4'], manifest['autoload-dev']['psr-4']]) {
        for (const [prefix, folders] of Object.entries(section)) {
          for (const folder of folders) add(foldersByPrefix, prefix, posix.join(posix.dirname(path), folder));
        }
      }
    }
  }
  return { packagesByPrefix, foldersByPrefix };
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
export const phpReader = createReader(php);
