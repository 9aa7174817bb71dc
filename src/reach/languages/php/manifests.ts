import { posix } from 'node:path';
import * as z from 'zod';
import { rowsOf } from '../../knowledge/knowledge.js';
import type { Rows } from '../../knowledge/knowledge-file.js';
import { remember } from '../../remember.js';
import { jsonOrNull } from '../manifest-text.js';
import type { SourceTree } from '../source-tree.js';

const folders = z
  .record(
    z.string(),
    z.union([z.string(), z.array(z.string())]).transform((folder) => [folder].flat()),
  )
  .catch({});
const paths = z.array(z.string()).catch([]);
const nothing = { 'psr-4': {}, 'psr-0': {}, classmap: [], files: [] };
const autoload = z.object({ 'psr-4': folders, 'psr-0': folders, classmap: paths, files: paths }).catch(nothing);
const discovered = z.object({ laravel: z.record(z.string(), z.unknown()) });
const locked = z
  .array(z.object({ name: z.string(), type: z.string().catch('library'), autoload, extra: z.unknown().optional() }))
  .catch([]);
const composerLock = z.object({ packages: locked, 'packages-dev': locked }).catch({ packages: [], 'packages-dev': [] });
const composerJson = z
  .object({ autoload, 'autoload-dev': autoload, require: z.record(z.string(), z.unknown()).catch({}) })
  .catch({ autoload: nothing, 'autoload-dev': nothing, require: {} });

/** Prefixes of class names without the last backslash, and the packages or folders that they lead to. */
type Prefixes = Map<string, Set<string>>;

/** A project of composer: its folder, and where its own code lies. */
interface Project {
  readonly folder: string;
  readonly requires: readonly string[];
  readonly source: readonly string[];
  /** Files that run whenever classes are loaded. */
  readonly files: readonly string[];
}

/** A package that runs although no code of the project has to name it. */
export interface LoadedByComposer {
  readonly name: string;
  readonly why: 'discovered' | 'type' | 'companion' | 'files' | 'unnamed';
  readonly type: string;
  /** Each request runs files of it. */
  readonly runsFiles: boolean;
  /** A package beside it turns it on without a setting. */
  readonly isEnabled: boolean;
}

export interface ComposerManifests {
  readonly packagesByPrefix: Prefixes;
  readonly foldersByPrefix: Prefixes;
  readonly projects: readonly Project[];
}

/** Prefixes of class names: composer.lock has those of packages, composer.json those of the project. */
export function readManifests(tree: SourceTree, packageNames: readonly string[]): ComposerManifests {
  const known = new Set(packageNames);
  const packagesByPrefix: Prefixes = new Map();
  const foldersByPrefix: Prefixes = new Map();
  const projects: Project[] = [];
  const add = (prefixes: Prefixes, prefix: string, value: string) =>
    remember(prefixes, prefix.replace(/[\\_]+$/, ''), () => new Set()).add(value);
  for (const { path } of tree.files) {
    const name = posix.basename(path);
    const folder = posix.dirname(path);
    if (name === 'composer.lock') {
      const lock = composerLock.parse(jsonOrNull(tree.read(path)));
      for (const each of [...lock.packages, ...lock['packages-dev']].filter((each) => known.has(each.name))) {
        for (const prefix of prefixesOf(each.autoload)) {
          // By convention the application's own name: a package that claims it is an application, as some tools are.
          if (!/^App\\*$/.test(prefix)) add(packagesByPrefix, prefix, each.name);
        }
      }
    } else if (name === 'composer.json') {
      const manifest = composerJson.parse(jsonOrNull(tree.read(path)));
      for (const section of [manifest.autoload['psr-4'], manifest['autoload-dev']['psr-4']]) {
        for (const [prefix, inFolders] of Object.entries(section)) {
          for (const below of inFolders) add(foldersByPrefix, prefix, posix.join(folder, below));
        }
      }
      projects.push({
        folder,
        requires: Object.keys(manifest.require),
        source: Object.values(manifest.autoload['psr-4']).flatMap((all) =>
          all.map((below) => posix.join(folder, below)),
        ),
        files: manifest.autoload.files.map((file) => posix.join(folder, file)),
      });
    }
  }
  return { packagesByPrefix, foldersByPrefix, projects };
}

function prefixesOf(loads: z.output<typeof autoload>): string[] {
  return Object.keys({ ...loads['psr-4'], ...loads['psr-0'] }).filter((prefix) => prefix !== '');
}

/**
 * The packages of a composer.lock, without those for development, that run although no code has to name them:
 * - `discovered`: Laravel registers their providers (https://laravel.com/docs/packages#package-discovery),
 * - `type`: an application loads them for their type, as its bundle, module or plugin,
 * - `companion`: a package beside it turns it on where it is installed,
 * - `files`: each request runs their files (https://getcomposer.org/doc/04-schema.md#files),
 * - `unnamed`: the file does not say which classes they have.
 */
export function loadedByComposer(text: string | null): LoadedByComposer[] {
  const { packages } = composerLock.parse(jsonOrNull(text));
  const names = new Set(packages.map(({ name }) => name));
  const turnedOn = besideHosts(rowsOf('php/companions'), names);
  const enabling = besideHosts(rowsOf('php/enabled'), names);
  return packages.flatMap(({ name, type, autoload: loads, extra }): LoadedByComposer[] => {
    const isEnabled = enabling.test(name);
    const found = { name, type, isEnabled, runsFiles: loads.files.length > 0 };
    if (discovered.safeParse(extra).success) return [{ ...found, why: 'discovered' }];
    if (!plainTypes.has(type)) return [{ ...found, why: 'type' }];
    if (turnedOn.test(name)) return [{ ...found, why: 'companion' }];
    if (found.runsFiles) return [{ ...found, why: 'files' }];
    return prefixesOf(loads).length === 0 ? [{ ...found, why: 'unnamed' }] : [];
  });
}

/** A test of the names that the rows of installed hosts have. */
function besideHosts(rows: Rows, installed: ReadonlySet<string>): RegExp {
  const patterns = Object.entries(rows).flatMap(([host, names]) => (installed.has(host) ? names : []));
  return new RegExp(patterns.length === 0 ? '(?!)' : `^(?:${patterns.join('|')})$`);
}

/**
 * Whether the application cannot run without loading the package: its files run on each request, its provider or bundle is
 * registered, composer runs it as a plugin, or Symfony's framework bundle turns the component on where it is installed. Other
 * companions wait for a setting, and for a type or a package without classes only a person can say.
 */
export function isAlwaysLoaded({ why, runsFiles, type, isEnabled }: LoadedByComposer): boolean {
  return why === 'discovered' || runsFiles || type === 'composer-plugin' || isEnabled;
}

/** Types of packages that nothing loads for their type; any other one is a plugin of some application. */
const plainTypes: ReadonlySet<string> = new Set(['library', 'metapackage', 'project', 'package', 'symfony-bridge']);
