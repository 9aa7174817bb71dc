import { posix } from 'node:path';
import { rowsOf } from '../../knowledge/knowledge.js';
import { createReader } from '../create-reader.js';
import type { Language, Target } from '../language.js';
import { packageTable } from '../package-table.js';
import { roleByPath } from '../roles.js';
import { folderOf, fromFoldersAbove } from '../tree-path.js';
import { wordSet } from '../word-set.js';
import { type ParsedRust, parseRust } from './imports.js';
import { inCode, readManifests } from './manifests.js';

const conventions = [
  [/(?:^|\/)(?:tests|[^/]*_tests?|test_[^/]*)\.rs$/, 'test'],
  [/(?:^|\/)build\.rs$/, 'config'],
] as const;

/** Types of the language stand before `::` too. */
const primitives = wordSet('bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize');

const rust: Language<ParsedRust> = {
  name: 'Rust',
  ecosystem: 'crates.io',
  reads: (path) => path.endsWith('.rs'),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    const known = new Set(packageNames);
    const crates = new Map<string, Set<string>>();
    const add = (name: string, crate: string) => crates.set(name, (crates.get(name) ?? new Set()).add(crate));
    for (const name of packageNames) add(inCode(name), name);
    const table = packageTable(rowsOf('rust/libraries'), (name) => (known.has(name) ? name : undefined));
    for (const [library, names] of table) for (const name of names) add(library, name);
    return {
      parse: (path, text) => parseRust(text, path),
      async connect(tree, files) {
        const { libraries, renames, runtime, entries } = readManifests(tree);
        for (const { as, crate } of renames) {
          for (const name of crates.get(inCode(crate)) ?? []) if (inCode(name) === inCode(crate)) add(as, name);
        }
        const modules = new Set([...files.values()].flatMap((file) => file.modules));
        const isLocal = (name: string) => modules.has(name) || primitives.has(name) || !/^[a-z_]/.test(name);
        const roots = new Set([...entries.map((entry) => entry.file), ...libraries.values()]);
        const names = new Set([...files.keys()].map(moduleNameOf));
        const inProject = (file: string, target: string): Target => {
          const name = target.slice(target.indexOf(':') + 1);
          const candidates = target.startsWith('file:')
            ? [posix.join(posix.dirname(file), name)]
            : moduleFiles(file, name, roots.has(file));
          const found = candidates.filter((path) => files.has(path));
          // A module within another one of the same file lies deeper.
          const isThere = found.length > 0 || names.has(moduleNameOf(name));
          const hidden = { kind: 'unresolved_import', detail: target, hides: 'any' } as const;
          return { files: found, packages: [], needsNoPackage: true, hidden: isThere ? null : hidden };
        };
        return {
          entries,
          isForProduction: (file, name) =>
            fromFoldersAbove(folderOf(file), (at) => runtime.get(at))?.has(inCode(name)) === true,
          target(file, { target }): Target {
            if (/^(?:mod|file):/.test(target)) return inProject(file, target);
            const root = libraries.get(target);
            return {
              files: root === undefined ? [] : [root],
              packages: [...(crates.get(target) ?? [])].map((name) => ({ name, subpath: null })),
              // A path may begin with a module, or a type: then it needs no crate.
              needsNoPackage: isLocal(target),
            };
          },
        };
      },
    };
  },
};

/** Where the file of `mod name;` may be (https://doc.rust-lang.org/reference/items/modules.html#module-source-filenames). */
function moduleFiles(file: string, name: string, isRoot: boolean): string[] {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const stem = file.slice(folder.length, -'.rs'.length);
  const isFolder = isRoot || ['main', 'lib', 'mod'].includes(stem) || folder.endsWith('bin/');
  const below = isFolder ? folder : `${folder}${stem}/`;
  return [`${below}${name}.rs`, `${below}${name}/mod.rs`];
}

/** `name` for `name.rs`, `name/mod.rs` and the name alone. */
function moduleNameOf(path: string): string {
  return posix.basename(path.replace(/\/mod\.rs$/, ''), '.rs');
}

/**
 * Reads Rust. Code names a crate with underscores for hyphens, by the name that a Cargo.toml gives it, or by the name of its
 * library (library-names.ts).
 */
export const rustReader = createReader(rust);
