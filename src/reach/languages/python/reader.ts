import * as z from 'zod';
import { createReader } from '../create-reader.js';
import type { Connections, Language, ParsedFile, Target } from '../language.js';
import type { Entry } from '../language-reader.js';
import { tomlOrEmpty } from '../manifest-text.js';
import { roleByPath } from '../roles.js';
import type { SourceTree } from '../source-tree.js';
import { folderOf } from '../tree-path.js';
import { parsePython } from './imports.js';
import { pythonPackageFinder } from './packages.js';
import { pythonStandardLibrary } from './standard-library.js';

const conventions = [
  [/(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|conftest)\.pyi?$/, 'test'],
  [/(?:^|\/)(?:setup|conf|gunicorn\.conf|gunicorn_config)\.py$/, 'config'],
  [/(?:^|\/)(?:noxfile|fabfile|tasks|toxfile)\.py$/, 'script'],
] as const;

/** Folders in which modules are looked up, besides those above the importing file. */
const roots = ['', 'src', 'lib', 'app', 'backend', 'server'];

/** Answers that are remembered, one for each import of a folder; hostile trees have more. */
const maxRemembered = 200_000;

const python: Language<ParsedFile> = {
  name: 'Python',
  ecosystem: 'PyPI',
  reads: (path) => /\.pyi?$|\.pyw$/.test(path),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    const packagesOf = pythonPackageFinder(packageNames);
    // One word can name only a package; words with dots may name a module of the project too.
    const isName = (word: string) =>
      word.includes('.') ? /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(word) : packagesOf(word).length > 0;
    return {
      parse: (path, text) => parsePython(path, text, isName),
      connect: async (tree, files) => connect(tree, files, packagesOf),
    };
  },
};

async function connect(
  tree: SourceTree,
  files: ReadonlyMap<string, ParsedFile>,
  packagesOf: (module: string) => readonly string[],
): Promise<Connections> {
  const modules = new Modules(files.keys());
  return {
    entries: scriptEntries(tree, modules),
    target(file, { target, members = [] }): Target {
      const dots = /^\.+/.exec(target)?.[0].length ?? 0;
      const name = target.slice(dots);
      if (dots > 0) {
        const folder = file.split('/').slice(0, -dots).join('/');
        return { files: modules.below(folder, name, members), packages: [], needsNoPackage: true };
      }
      const [top = ''] = name.split('.');
      const direct = packagesOf(name);
      const found = direct.length > 0 ? direct : members.flatMap((member) => packagesOf(`${name}.${member}`));
      const below = name.split('.').slice(1).join('.');
      return {
        files: modules.absolute(file, name, members),
        packages: [...new Set(found)].map((each) => ({ name: each, subpath: below === '' ? null : below })),
        needsNoPackage: pythonStandardLibrary.has(top),
      };
    },
  };
}

class Modules {
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set<string>();
  readonly #remembered = new Map<string, readonly string[]>();

  constructor(files: Iterable<string>) {
    this.#files = new Set(files);
    for (const file of this.#files) {
      const parts = file.split('/');
      for (let depth = parts.length - 1; depth > 0; depth--) {
        const folder = parts.slice(0, depth).join('/');
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
    }
  }

  /** The files that an import runs: the module, the packages around it, and members that are modules. */
  below(folder: string, name: string, members: readonly string[]): string[] {
    const found: string[] = [];
    const enter = (path: string) => {
      const file = [`${path}/__init__.py`, `${path}.py`, `${path}.pyi`].find((each) => this.#files.has(each));
      if (file !== undefined) found.push(file);
      return file !== undefined || this.#folders.has(path);
    };
    let path = folder;
    const join = (part: string) => (path === '' ? part : `${path}/${part}`);
    if (name === '') enter(folder);
    for (const part of name === '' ? [] : name.split('.')) {
      if (!enter(join(part))) return found;
      path = join(part);
    }
    for (const member of members) enter(join(member));
    return found;
  }

  /** Looks in the usual roots and in every folder above the file. When it runs, one of them is on Python's path. */
  absolute(file: string, name: string, members: readonly string[]): readonly string[] {
    const folder = folderOf(file);
    const key = `${folder}\n${name}\n${members.join()}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const parts = folder.split('/');
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const [top = ''] = name.split('.');
    const found = [...new Set([...roots, ...above])]
      .filter((root) => root === '' || this.#folders.has(root))
      .flatMap((root) => (this.#mayHold(root, top) ? this.below(root, name, members) : []));
    const files = [...new Set(found)];
    if (this.#remembered.size < maxRemembered) this.#remembered.set(key, files);
    return files;
  }

  #mayHold(root: string, top: string): boolean {
    const path = root === '' ? top : `${root}/${top}`;
    return this.#folders.has(path) || this.#files.has(`${path}.py`) || this.#files.has(`${path}.pyi`);
  }
}

const scripts = z.record(z.string(), z.unknown()).catch({});
const pyproject = z.object({
  project: z.object({ scripts, 'gui-scripts': scripts }).catch({ scripts: {}, 'gui-scripts': {} }),
  tool: z.object({ poetry: z.object({ scripts }) }).catch({ poetry: { scripts: {} } }),
});

/** The modules that the project's commands start: `command = "package.module:function"` in pyproject.toml. */
function scriptEntries(tree: SourceTree, modules: Modules): Entry[] {
  const entries: Entry[] = [];
  for (const { path } of tree.files) {
    if (!/(?:^|\/)pyproject\.toml$/.test(path)) continue;
    const { project, tool } = pyproject.parse(tomlOrEmpty(tree.read(path)));
    const commands = { ...project.scripts, ...project['gui-scripts'], ...tool.poetry.scripts };
    for (const target of Object.values(commands)) {
      if (typeof target !== 'string') continue;
      const module = target.split(':', 1)[0]?.trim() ?? '';
      const file = modules.absolute(path, module, []).at(-1);
      if (file !== undefined) entries.push({ file, why: `a command of ${path}` });
    }
  }
  return entries;
}

/** Reads Python: import statements, imports by a function, and the attributes that are used of what they bind. */
export const pythonReader = createReader(python);
