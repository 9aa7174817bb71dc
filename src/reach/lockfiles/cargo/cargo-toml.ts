import * as z from 'zod';
import type { Scope } from '../package-list.js';
import { parseShape, parseToml, type Source } from '../source.js';

const dependency = z.union([
  z.string(),
  z.object({
    package: z.string().optional(),
    optional: z.boolean().default(false),
    workspace: z.boolean().default(false),
  }),
]);
const dependencies = z.record(z.string(), dependency).default({});
const sections = z.object({
  dependencies,
  'dev-dependencies': dependencies,
  'build-dependencies': dependencies,
});

const cargoToml = sections.extend({
  target: z.record(z.string(), sections).default({}),
  workspace: z.object({ members: z.array(z.string()).default([]), dependencies }).prefault({}),
});

export type CargoToml = z.output<typeof cargoToml>;

/** The Cargo.toml in a folder relative to the lock file's, null where there is none. */
export async function readCargoToml(source: Source, folder = '.'): Promise<CargoToml | null> {
  const manifest = await source.readRelative(`${folder}/Cargo.toml`);
  return manifest && parseShape(manifest, cargoToml, parseToml(manifest));
}

/**
 * The crates that a manifest names, by scope, under their real names. Crates of a build script run when the project is
 * built, not in production, and so count as development.
 */
export function cratesOf(manifest: CargoToml, workspace: CargoToml | null): Record<Scope, Set<string>> {
  const found = { runtime: new Set<string>(), optional: new Set<string>(), development: new Set<string>() };
  for (const each of [manifest, ...Object.values(manifest.target)]) {
    for (const [key, wanted] of Object.entries(each.dependencies)) {
      const scope = typeof wanted !== 'string' && wanted.optional ? 'optional' : 'runtime';
      found[scope].add(nameOf(key, wanted, workspace));
    }
    for (const section of ['dev-dependencies', 'build-dependencies'] as const) {
      for (const [key, wanted] of Object.entries(each[section])) {
        found.development.add(nameOf(key, wanted, workspace));
      }
    }
  }
  return found;
}

/** A crate may be known in the project under another name: `json = { package = "serde_json" }`. */
function nameOf(key: string, wanted: z.output<typeof dependency>, workspace: CargoToml | null): string {
  if (typeof wanted === 'string') return key;
  if (!wanted.workspace) return wanted.package ?? key;
  const shared = workspace?.workspace.dependencies[key];
  return (typeof shared === 'object' ? shared.package : undefined) ?? key;
}
