import * as z from 'zod';
import { createReader } from '../create-reader.js';
import type { Language, Target } from '../language.js';
import { tomlOrEmpty } from '../manifest-text.js';
import { roleByPath } from '../roles.js';
import { type ParsedRust, parseRust } from './imports.js';

const conventions = [
  [/(?:^|\/)(?:tests|[^/]*_tests?|test_[^/]*)\.rs$/, 'test'],
  [/(?:^|\/)build\.rs$/, 'config'],
] as const;

const dependencies = z.record(z.string(), z.unknown()).catch({});
const manifest = z.object({
  package: z.object({ name: z.string() }).optional().catch(undefined),
  dependencies,
  'dev-dependencies': dependencies,
  'build-dependencies': dependencies,
  workspace: z.object({ dependencies }).catch({ dependencies: {} }),
});
const renamed = z.object({ package: z.string() });

/** A crate's name as code writes it. */
function inCode(name: string): string {
  return name.replaceAll('-', '_');
}

const rust: Language<ParsedRust> = {
  name: 'Rust',
  ecosystem: 'crates.io',
  reads: (path) => path.endsWith('.rs'),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    const crates = new Map(packageNames.map((name) => [inCode(name), name]));
    return {
      parse: (path, text) => parseRust(text, path),
      async connect(tree, files) {
        const roots = new Map<string, string>();
        for (const { path } of tree.files) {
          if (!/(?:^|\/)Cargo\.toml$/.test(path)) continue;
          const { package: crate, workspace, ...sections } = manifest.parse(tomlOrEmpty(tree.read(path)));
          const folder = path.slice(0, -'Cargo.toml'.length);
          if (crate !== undefined) roots.set(inCode(crate.name), `${folder}src/lib.rs`);
          for (const section of [...Object.values(sections), workspace.dependencies]) {
            for (const [key, wanted] of Object.entries(section)) {
              const real = renamed.safeParse(wanted).data?.package;
              const name = real === undefined ? undefined : crates.get(inCode(real));
              if (name !== undefined) crates.set(inCode(key), name);
            }
          }
        }
        return {
          sameUnit: (file) => (files.get(file)?.modules ?? []).flatMap((name) => moduleFiles(file, name)),
          target(_, { target }): Target {
            const name = crates.get(target);
            const root = roots.get(target);
            return {
              files: root === undefined ? [] : [root],
              packages: name === undefined ? [] : [{ name, subpath: null }],
              // A path may begin with a module or a type of the file itself: only a name in a lock file is a crate.
              needsNoPackage: true,
            };
          },
        };
      },
    };
  },
};

/** Where the file of `mod name;` may be (https://doc.rust-lang.org/reference/items/modules.html#module-source-filenames). */
function moduleFiles(file: string, name: string): string[] {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const stem = file.slice(folder.length, -'.rs'.length);
  const below = ['main', 'lib', 'mod'].includes(stem) || folder.endsWith('bin/') ? folder : `${folder}${stem}/`;
  return [`${below}${name}.rs`, `${below}${name}/mod.rs`];
}

/** Reads Rust. Code names a crate with underscores for hyphens, or by the name that a Cargo.toml gives it. */
export const rustReader = createReader(rust);
