import { isTool } from '../../knowledge/development-tools.js';
import { remember } from '../../remember.js';
import { createReader } from '../create-reader.js';
import type { Connections, HiddenUse, Language, Reference, Target } from '../language.js';
import { either } from '../patterns.js';
import { roleByPath } from '../roles.js';
import type { SourceTree } from '../source-tree.js';
import { fileNameOf, folderOf, isWithin } from '../tree-path.js';
import { type ParsedPython, parsePython } from './imports.js';
import { manifestEntries } from './manifest-entries.js';
import { Modules } from './modules.js';
import { notebookCode } from './notebook.js';
import { type PackageFinder, pythonPackageFinder } from './packages.js';
import { namedByStartFiles } from './programs.js';
import { pythonStandardLibrary } from './standard-library.js';

const conventions = [
  [/(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|conftest)\.pyi?$/, 'test'],
  [/(?:^|\/)setup\.py$|(?:^|\/)docs?\/(?:.*\/)?conf\.py$/, 'config'],
  [/(?:^|\/)(?:noxfile|fabfile|toxfile)\.py$/, 'script'],
] as const;

const sources = /\.(?:py[wix]?|pxd|ipynb)$/;

/** Executables without extension that a shebang makes Python: `#!/usr/bin/env python3`, `#!/usr/bin/env -S uv run`. */
const shebang = /^#!.*\b(?:python[\d.]*|pypy[\d.]*|uv run)\b/;

/** What Django loads by its name in every application (https://docs.djangoproject.com/en/stable/ref/applications/). */
const djangoModule = either(
  '',
  /(?:^|\/)(?:apps|models|admin|urls|signals|tasks|translation|context_processors|middleware|checks|search_indexes)\.py$/,
  /(?:^|\/)(?:management\/commands|migrations|templatetags|models|tasks)\/[^/]+\.py$/,
);

/** Modules that a build makes, by the packages that they need. */
const madeByBuild: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?:^|\.)_?(?:version|__version__|generated|build_info|git_version)$/, []],
  [/_pb2(?:_grpc)?$/, ['protobuf', 'grpcio']],
];

const python: Language<ParsedPython> = {
  name: 'Python',
  ecosystem: 'PyPI',
  reads: (path) => sources.test(path),
  mayRead: (path) => /(?:^|\/)[\w-]+$/.test(path),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    const finder = pythonPackageFinder(packageNames);
    const { packagesOf } = finder;
    // One word can name only a package; words with dots may name a module of the project too.
    const isName = (word: string) =>
      word.includes('.') ? /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(word) : packagesOf(word).length > 0;
    return {
      parse(path, text) {
        if (!sources.test(path) && !shebang.test(text)) return null;
        const code = path.endsWith('.ipynb') ? notebookCode(text) : text;
        return code === null ? notPython : parsePython(path, code, isName, finder);
      },
      connect: async (tree, files) => connect(tree, files, finder, packageNames),
    };
  },
};

/** A notebook that cannot be read is searched for names. */
const notPython: ParsedPython = {
  ...{ references: [], isBroken: true, entry: null, certain: new Set() },
  packageNames: null,
};

const noPackage: Target = { files: [], packages: [], needsNoPackage: true };

async function connect(
  tree: SourceTree,
  files: ReadonlyMap<string, ParsedPython>,
  finder: PackageFinder,
  packageNames: readonly string[],
): Promise<Connections> {
  const modules = new Modules(files.keys());
  const project = { files, modules, finder };
  const started = namedByStartFiles(tree, modules, finder);
  const ofDjango = [...files.keys()].filter((path) => djangoModule.test(path) && python.roleOf(path) === 'prod');
  let unclaimed: readonly string[] | null = null;
  // The file cannot run without the module, so some package has it: one that no other import of the project answers to.
  const hiddenByUnowned = (detail: string): HiddenUse | null => {
    unclaimed ??= unclaimedPackages(packageNames, files, finder);
    return unclaimed.length === 0 ? null : { kind: 'unowned_import', detail, hides: unclaimed };
  };
  const unitOf = new Map<string, readonly string[]>();
  return {
    entries: [...manifestEntries(tree, modules), ...started.entries],
    mentions: started.mentions,
    sameUnit(file) {
      if (!/(?:^|\/)manage\.py$/.test(file)) return [];
      const folder = folderOf(file);
      return remember(unitOf, folder, () => ofDjango.filter((path) => isWithin(path, folder)));
    },
    target: (file, reference) =>
      reference.target.startsWith('.')
        ? relativeTarget(file, reference, project)
        : absoluteTarget(file, reference, project, hiddenByUnowned),
  };
}

/** The files of a project, its modules, and the packages that they can name. */
interface Project {
  readonly files: ReadonlyMap<string, ParsedPython>;
  readonly modules: Modules;
  readonly finder: PackageFinder;
}

function relativeTarget(file: string, reference: Reference, { files, modules, finder }: Project): Target {
  const { target, members = [] } = reference;
  const name = target.replace(/^\.+/, '');
  const folder = file
    .split('/')
    .slice(0, name.length - target.length)
    .join('/');
  const found = modules.below(folder, name, members);
  if (found.length === 0) return { ...noPackage, hidden: hiddenByRelative(target, finder) };
  const path = [folder, ...name.split('.')].filter((part) => part !== '').join('/');
  const missing = missingModule(reference, (each) => each === path, found, { files, modules });
  return { ...noPackage, files: found, hiddenBeside: missing === null ? null : hiddenByRelative(missing, finder) };
}

function absoluteTarget(
  file: string,
  reference: Reference,
  { files, modules, finder }: Project,
  hiddenByUnowned: (detail: string) => HiddenUse | null,
): Target {
  const { target: name, members = [] } = reference;
  const { packagesOf } = finder;
  const [top = '', ...rest] = name.split('.');
  const direct = packagesOf(name);
  const found = direct.length > 0 ? direct : members.flatMap((member) => packagesOf(`${name}.${member}`));
  const isStandard = pythonStandardLibrary.has(top);
  const near = modules.absolute(file, name, members);
  const here = near.length > 0 || found.length > 0 || isStandard ? near : modules.anywhere(name, members);
  const needsNoPackage = isStandard || (here.length === 0 && modules.isNamespace(file, top));
  const path = name.replaceAll('.', '/');
  const isPackage = (each: string) => each === path || each.endsWith(`/${path}`);
  const isOwn = near.length > 0 && found.length === 0 && !isStandard;
  const missing = isOwn ? missingModule(reference, isPackage, near, { files, modules }) : null;
  const isUnowned = !needsNoPackage && found.length + here.length === 0 && files.get(file)?.certain.has(reference);
  return {
    files: here,
    packages: [...new Set(found)].map((each) => ({ name: each, subpath: rest.join('.') || null })),
    needsNoPackage,
    ...(isUnowned && { hidden: hiddenByUnowned(name) }),
    ...(missing !== null && { hiddenBeside: hiddenByRelative(missing, finder) }),
  };
}

/** What tests, tools or types import may be what production misses too: only production's own imports claim a package. */
function unclaimedPackages(
  packageNames: readonly string[],
  files: ReadonlyMap<string, ParsedPython>,
  { packagesOf, isListed }: PackageFinder,
): string[] {
  const claimed = new Set<string>();
  for (const [path, { references }] of files) {
    if (python.roleOf(path) !== 'prod') continue;
    for (const { target, members = [], typeOnly = false } of references) {
      if (typeOnly) continue;
      for (const module of [target, ...members.map((member) => `${target}.${member}`)]) {
        for (const name of packagesOf(module)) claimed.add(name);
      }
    }
  }
  return packageNames.filter((name) => !claimed.has(name) && !isListed(name) && !isTool('PyPI', name, 'modules'));
}

/**
 * A member of a package that neither the package's code names nor its folder has: then it is a module that is not in the tree,
 * such as one that a build makes.
 *
 * @param isPackage whether a path, without ending, is that of the package
 * @param imported the files that the import runs
 */
function missingModule(
  { target, members = [] }: Reference,
  isPackage: (path: string) => boolean,
  imported: readonly string[],
  { files, modules }: { readonly files: ReadonlyMap<string, ParsedPython>; readonly modules: Modules },
): string | null {
  const own = imported.filter((file) => isPackage(modulePath(file)));
  const isThere = (member: string) =>
    own.some(
      (file) =>
        files.get(file)?.packageNames?.has(member) !== false || modules.isFolder(`${modulePath(file)}/${member}`),
    ) || imported.some((file) => fileNameOf(modulePath(file)) === member);
  // `*` takes what is there, and each module has names like `__file__`.
  const missing = members.find((member) => !/^(?:\*|__\w+__)$/.test(member) && !isThere(member));
  if (missing === undefined) return null;
  return target.endsWith('.') ? `${target}${missing}` : `${target}.${missing}`;
}

/** `a/b` of both `a/b.py` and `a/b/__init__.py`. */
function modulePath(file: string): string {
  return file.replace(/(?:(?:^|\/)__init__)?\.\w+$/, '');
}

/** A module of the project that is not in the tree may import anything. */
function hiddenByRelative(target: string, { named }: PackageFinder): HiddenUse | null {
  const made = madeByBuild.find(([name]) => name.test(target));
  const hides = made === undefined ? 'any' : made[1].flatMap((name) => named(name));
  return hides.length === 0 ? null : { kind: 'unresolved_import', detail: target, hides };
}

/** Reads Python: import statements, imports by a function, and the attributes that are used of what they bind. */
export const pythonReader = createReader(python);
