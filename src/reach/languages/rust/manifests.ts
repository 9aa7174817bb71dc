import { posix } from 'node:path';
import * as z from 'zod';
import type { Entry } from '../language-reader.js';
import { tomlOrEmpty } from '../manifest-text.js';
import type { SourceTree } from '../source-tree.js';
import { folderOf } from '../tree-path.js';

const dependencies = z.record(z.string(), z.unknown()).catch({});
const sections = z.object({
  dependencies,
  'dev-dependencies': dependencies,
  'build-dependencies': dependencies,
});
const target = z.object({ name: z.string().optional(), path: z.string().optional() });
const manifest = sections.extend({
  package: z.object({ name: z.string() }).optional().catch(undefined),
  lib: target.catch({}),
  bin: z.array(target.catch({})).catch([]),
  target: z
    .record(z.string(), sections.catch({ dependencies: {}, 'dev-dependencies': {}, 'build-dependencies': {} }))
    .catch({}),
  workspace: z.object({ dependencies }).catch({ dependencies: {} }),
});
const renamed = z.object({ package: z.string() });

/** What all Cargo.toml of a tree say. */
export interface CargoManifests {
  /** The project's own libraries by the names that code gives them, with the files that they begin in. */
  readonly libraries: ReadonlyMap<string, string>;
  /** Names that the project gives to crates: `json = { package = "serde_json" }`. */
  readonly renames: readonly { readonly as: string; readonly crate: string }[];
  /** The crates that each folder's manifest lists for production, as code names them. */
  readonly runtime: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files that a manifest names as the root of a library or a program. */
  readonly entries: readonly Entry[];
}

/** A crate's name as code writes it. */
export function inCode(name: string): string {
  return name.replaceAll('-', '_');
}

/** Reads every Cargo.toml of a tree (https://doc.rust-lang.org/cargo/reference/cargo-targets.html). */
export function readManifests(tree: SourceTree): CargoManifests {
  const libraries = new Map<string, string>();
  const renames: { as: string; crate: string }[] = [];
  const runtime = new Map<string, ReadonlySet<string>>();
  const entries: Entry[] = [];
  for (const { path } of tree.files) {
    if (!/(?:^|\/)Cargo\.toml$/.test(path)) continue;
    const { package: crate, lib, bin, workspace, ...own } = manifest.parse(tomlOrEmpty(tree.read(path)));
    const inFolder = (file: string) => posix.join(posix.dirname(path), file);
    const library = lib.name ?? crate?.name;
    if (library !== undefined) libraries.set(inCode(library), inFolder(lib.path ?? 'src/lib.rs'));
    if (crate !== undefined) libraries.set(inCode(crate.name), inFolder(lib.path ?? 'src/lib.rs'));
    for (const each of [lib, ...bin]) {
      if (each.path !== undefined) entries.push({ file: inFolder(each.path), why: `${path} names it` });
    }
    const forProduction = [own, ...Object.values(own.target)].flatMap((each) => Object.entries(each.dependencies));
    runtime.set(
      folderOf(path),
      new Set(forProduction.map(([as, wanted]) => inCode(renamed.safeParse(wanted).data?.package ?? as))),
    );
    const lists = [own, ...Object.values(own.target)].flatMap((each) => [
      each.dependencies,
      each['dev-dependencies'],
      each['build-dependencies'],
    ]);
    for (const list of [...lists, workspace.dependencies]) {
      for (const [as, wanted] of Object.entries(list)) {
        const real = renamed.safeParse(wanted).data?.package;
        if (real !== undefined) renames.push({ as: inCode(as), crate: real });
      }
    }
  }
  return { libraries, renames, runtime, entries };
}
