import { posix } from 'node:path';
import * as z from 'zod';
import type { SourceTree } from '../../analysis/language.js';
import type { Language, Target } from '../language.js';
import { roleByPath } from '../roles.js';
import { readerOf } from '../source-analysis.js';
import { type ParsedPhp, parsePhp } from './imports.js';

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

/** Prefixes of class names, without the last backslash, and what they lead to. */
type Prefixes = Map<string, Set<string>>;

const php: Language<ParsedPhp> = {
  name: 'PHP',
  ecosystem: 'Packagist',
  reads: (path) => /\.(?:php|phtml|inc)$|(?:^|\/)(?:artisan|bin\/console)$/.test(path),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    return {
      parse: parsePhp,
      async connect(tree, files) {
        const { byPrefix, ownFolders } = readManifests(tree, packageNames);
        return {
          entries: [],
          alongside: () => [],
          target(file, { target }): Target {
            if (target.startsWith('file:')) {
              const path = posix.normalize(posix.join(posix.dirname(file), target.slice('file:'.length)));
              return { files: files.has(path) ? [path] : [], packages: [], isOwn: true };
            }
            const own = longestPrefix(target, ownFolders);
            const rest = own === null ? '' : target.slice(own.length).replace(/^\\/, '').replaceAll('\\', '/');
            const found = [...(ownFolders.get(own ?? '') ?? [])]
              .map((folder) => posix.normalize(posix.join(folder, `${rest}.php`)))
              .filter((path) => files.has(path));
            const prefix = longestPrefix(target, byPrefix);
            const names = prefix === null ? guess(target, packageNames) : [...(byPrefix.get(prefix) ?? [])];
            return {
              files: found,
              packages: names.map((name) => ({ name, subpath: null })),
              // A class without a namespace is PHP's own or the project's.
              isOwn: own !== null || !target.includes('\\'),
            };
          },
        };
      },
    };
  },
};

/** What the manifests tell of class names: of packages those in composer.lock, of the project's own composer.json. */
function readManifests(tree: SourceTree, packageNames: readonly string[]) {
  const known = new Set(packageNames);
  const byPrefix: Prefixes = new Map();
  const ownFolders: Prefixes = new Map();
  const add = (prefixes: Prefixes, prefix: string, value: string) => {
    const key = prefix.replace(/[\\_]+$/, '');
    prefixes.set(key, (prefixes.get(key) ?? new Set()).add(value));
  };
  for (const { path } of tree.files) {
    const name = posix.basename(path);
    if (name !== 'composer.lock' && name !== 'composer.json') continue;
    const content = jsonOrNull(tree.read(path));
    if (name === 'composer.lock') {
      const lock = composerLock.parse(content);
      for (const each of [...lock.packages, ...lock['packages-dev']]) {
        if (!known.has(each.name)) continue;
        for (const prefix of Object.keys({ ...each.autoload['psr-4'], ...each.autoload['psr-0'] })) {
          if (prefix !== '') add(byPrefix, prefix, each.name);
        }
      }
    } else {
      const manifest = composerJson.parse(content);
      for (const [prefix, places] of [
        ...Object.entries(manifest.autoload['psr-4']),
        ...Object.entries(manifest['autoload-dev']['psr-4']),
      ]) {
        for (const place of places) add(ownFolders, prefix, posix.join(posix.dirname(path), place));
      }
    }
  }
  return { byPrefix, ownFolders };
}

/** `Vendor\Package\…` is often vendor/package: likely where both fit, and where the vendor has but one package. */
function guess(className: string, packageNames: readonly string[]): string[] {
  const [vendor = '', name = ''] = className.toLowerCase().split('\\');
  const plain = (text: string) => text.replaceAll(/[-_.]/g, '');
  const ofVendor = packageNames.filter((each) => plain(each.split('/', 1)[0] ?? '') === vendor);
  const exact = ofVendor.filter((each) => {
    const own = plain(each.split('/')[1] ?? '');
    return own === name || own === `${vendor}${name}` || own === vendor;
  });
  if (exact.length > 0) return exact;
  if (ofVendor.length === 1) return ofVendor;
  return packageNames.filter((each) => plain(each.split('/')[1] ?? '') === vendor);
}

function longestPrefix(name: string, prefixes: Prefixes): string | null {
  for (let end = name.length; end > 0; end = name.lastIndexOf('\\', end - 1)) {
    const prefix = name.slice(0, end);
    if (prefixes.has(prefix)) return prefix;
  }
  return null;
}

function jsonOrNull(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads PHP. A class's package is certain where composer.lock gives the package's prefixes, likely where the names fit. */
export const phpReader = readerOf(php);
