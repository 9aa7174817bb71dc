import { fileNameOf, folderOf, inFolder } from '../tree-path.js';

/** Folders in which modules are looked up, besides those above the importing file. */
const roots = ['', 'src', 'lib', 'app', 'backend', 'server', 'api'];

/** Folders with the same module that are looked into. */
const maxHolders = 20;

/** Answers that are remembered, one for each import of a folder; hostile trees have more. */
const maxRemembered = 200_000;

/** The modules of the project: its files by the names that imports use. */
export class Modules {
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set<string>();
  /** The folders that hold a module of a name at their top. */
  readonly #holders = new Map<string, string[]>();
  readonly #remembered = new Map<string, readonly string[]>();

  constructor(files: Iterable<string>) {
    this.#files = new Set(files);
    for (const file of this.#files) {
      if (!file.endsWith('/__init__.py')) this.#hold(file.replace(/\.\w+$/, ''));
      const parts = file.split('/');
      for (let depth = parts.length - 1; depth > 0; depth--) {
        const folder = parts.slice(0, depth).join('/');
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
        this.#hold(folder);
      }
    }
  }

  /** The files that an import runs: the module, the packages around it, and members that are modules. */
  below(folder: string, name: string, members: readonly string[]): string[] {
    const found: string[] = [];
    const enter = (path: string) => {
      const file = [`${path}/__init__.py`, `${path}.py`, `${path}.pyx`, `${path}.pyi`].find((each) =>
        this.#files.has(each),
      );
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

  /** Looks anywhere in the tree: in a workspace, one part imports another by a path that only its installation sets. */
  anywhere(name: string, members: readonly string[]): string[] {
    const [top = ''] = name.split('.');
    // What lies in a package is imported by the package's name.
    const holders = (this.#holders.get(top) ?? []).filter((folder) => !this.#files.has(`${folder}/__init__.py`));
    return [...new Set(holders.flatMap((folder) => this.below(folder, name, members)))];
  }

  isFolder(path: string): boolean {
    return this.#folders.has(path);
  }

  /** Those of the paths that are files of Python. */
  files(paths: readonly string[]): string[] {
    return paths.filter((path) => this.#files.has(path)).slice(0, 1);
  }

  /** Whether a name is that of a folder without `__init__.py`, in one of the places where modules are looked up. */
  isNamespace(file: string, top: string): boolean {
    const above = folderOf(file).split('/');
    const folders = above.map((_, index) => above.slice(0, index + 1).join('/'));
    return [...roots, ...folders].some((root) => this.#folders.has(inFolder(root, top)));
  }

  #hold(module: string): void {
    const name = fileNameOf(module);
    const holders = this.#holders.get(name);
    if (holders === undefined) this.#holders.set(name, [folderOf(module)]);
    else if (holders.length < maxHolders) holders.push(folderOf(module));
  }

  #mayHold(root: string, top: string): boolean {
    const path = inFolder(root, top);
    return (
      this.#folders.has(path) ||
      this.#files.has(`${path}.py`) ||
      this.#files.has(`${path}.pyx`) ||
      this.#files.has(`${path}.pyi`)
    );
  }
}
