import { listsOf } from '../../knowledge/knowledge.js';
import { remember } from '../../remember.js';
import type { Role } from '../language-reader.js';
import { alternatives } from '../patterns.js';
import { fileNameOf, folderOf, fromFoldersAbove } from '../tree-path.js';
import { entriesOf, field } from './json-values.js';
import { type Manifest, registryName } from './project/manifests.js';

const listed = listsOf('javascript/tool-files');

const testFolder = folderNamed(
  'tests? __tests__ __mocks__ __fixtures__ __testfixtures__ specs? e2e cypress playwright test-utils',
  '\\.storybook stories __stories__',
);
const testName =
  /(?:[._-](?:test|tests|spec|specs|e2e|e2e-spec|cy|stories|story|bench|fixture|mock)|^test[._-].*|^tests?)\.(?:[mc]?[jt]sx?|vue|svelte)$/i;

/** Folders that mostly belong to tests. Programs have such parts too. */
const likelyTestFolder = /(?:^|\/)(?:fixtures|testing|benchmarks?|bench)\//i;

/** Configurations of tools that never run in production: bundlers, compilers, test runners, linters. */
const toolConfigName = configNamed(
  `(?:${listed('configTools').join('|')})(?:[.-][\\w-]+)*\\.(?:config|conf)|${listed('otherConfigs').join('|')}`,
);

const configName = configNamed(listed('likelyConfigs').join('|'));

function configNamed(stems: string): RegExp {
  return new RegExp(`^(?:${stems})(?:\\.babel)?\\.(?:[mc]?[jt]s|json)$`, 'i');
}

const scriptFolder = folderNamed(
  'scripts? tools? tooling build-scripts \\.github \\.husky ci devtools? hack examples? demos? docs? website',
  'migrations-scripts',
);

function folderNamed(...names: readonly string[]): RegExp {
  return new RegExp(`(?:^|/)(?:${alternatives(...names)})/`, 'i');
}

/** What a file is for by its path alone, and whether its name leaves no doubt. */
interface Guess {
  readonly role: Role;
  readonly sure: boolean;
}

const production: Guess = { role: 'prod', sure: true };

function guessRole(path: string): Guess {
  const name = fileNameOf(path);
  if (testFolder.test(path) || testName.test(name)) return { role: 'test', sure: true };
  if (toolConfigName.test(name)) return { role: 'config', sure: true };
  if (likelyTestFolder.test(path)) return { role: 'test', sure: false };
  if (configName.test(name)) return { role: 'config', sure: false };
  return scriptFolder.test(path) ? { role: 'script', sure: false } : production;
}

/**
 * The role of a file by its path alone: test, configuration of a tool, script around the project, or production. A file
 * that production loads counts as production in spite of its path.
 */
export function roleOf(path: string): Role {
  return guessRole(path).role;
}

/** Whether a name says that a file is a test, wherever it lies. */
export function isTestName(path: string): boolean {
  return testName.test(fileNameOf(path)) || /(?:^|\/)__(?:tests|mocks|fixtures|stories)__\//.test(path);
}

/** The roles of files in a project: its manifests decide where a path leaves doubt. */
export interface Roles {
  of(path: string): Role;
  /** The role in which a file uses a package. */
  using(path: string, packageName: string): Role;
}

/**
 * Roles by path and by manifest. That only scripts use a package must be sure, and a folder's name is not:
 * - A folder such as `docs/` or `tools/` means scripts only at the top of a package. Deeper, source has such names too.
 * - A template of a package `create-x` is no part of the program.
 * - A package that a manifest at or above the file lists in `dependencies` is there for production. A script, a folder that
 *   may hold tests or a configuration that may run with the program uses it in production.
 */
export function rolesIn(manifests: ReadonlyMap<string, Manifest>): Roles {
  const runtime = new Map([...manifests].map(([folder, manifest]) => [folder, runtimeDependencies(manifest)]));
  const known = new Map<string, Guess>();
  const guess = (path: string) => remember(known, path, () => guessIn(path, manifests));
  return {
    of: (path) => guess(path).role,
    using(path, packageName) {
      const { role, sure } = guess(path);
      if (sure) return role;
      const isInstalled = fromFoldersAbove(folderOf(path), (at) => runtime.get(at)?.has(packageName) || undefined);
      return isInstalled === true ? 'prod' : role;
    },
  };
}

function guessIn(path: string, manifests: ReadonlyMap<string, Manifest>): Guess {
  const found = guessRole(path);
  if (found.role === 'prod') return isTemplate(path, manifests) ? { role: 'script', sure: false } : found;
  return found.role === 'script' && !isScriptAtTop(path, manifests) ? production : found;
}

/** Whether a folder of scripts is the first folder below a package or the tree's root. */
function isScriptAtTop(path: string, manifests: ReadonlyMap<string, Manifest>): boolean {
  const parts = path.split('/');
  return parts.slice(0, -1).some((part, at) => {
    const above = parts.slice(0, at).join('/');
    return scriptFolder.test(`${part}/`) && (above === '' || manifests.has(above));
  });
}

/** Whether a file is one that `npm create x` copies into a new project: it imports what is only there. */
function isTemplate(path: string, manifests: ReadonlyMap<string, Manifest>): boolean {
  const parts = path.split('/');
  return parts.some((part, at) => {
    if (!/^templates?$/.test(part)) return false;
    const name = manifests.get(parts.slice(0, at).join('/'))?.name ?? '';
    return /^(?:@[^/]+\/)?create-/.test(name);
  });
}

/** The packages that a manifest lists for production, with the names that the registry has for them. */
function runtimeDependencies({ content }: Manifest): ReadonlySet<string> {
  const names = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((section) =>
    entriesOf(field(content, section)).flatMap(([name, range]) => [
      name,
      registryName(name, typeof range === 'string' ? range : undefined),
    ]),
  );
  return new Set(names);
}
