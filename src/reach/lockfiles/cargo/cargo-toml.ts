import * as z from 'zod';
import type { Scope } from '../package-list.js';
import { parseShape, parseToml, type Source } from '../source.js';

const dependency = z.union([
  z.string(),
  z.object({
    version: z.string().optional(),
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

const patterns = z.array(z.string()).default([]);
const cargoToml = sections.extend({
  package: z.object({ name: z.string() }).optional(),
  target: z.record(z.string(), sections).default({}),
  workspace: z.object({ members: patterns, exclude: patterns, dependencies }).prefault({}),
});

export type CargoToml = z.output<typeof cargoToml>;

/** The Cargo.toml in a folder relative to the lock file's, null where there is none. */
export async function readCargoToml(source: Source, folder = '.'): Promise<CargoToml | null> {
  const manifest = await source.readRelative(`${folder}/Cargo.toml`);
  return manifest && parseShape(manifest, cargoToml, parseToml(manifest));
}

/** A crate that a manifest asks for, under its real name. */
export interface WantedCrate {
  readonly name: string;
  readonly scope: Scope;
  readonly range: string | null;
  /** The range is in the manifest of the workspace. */
  readonly isInherited: boolean;
}

/**
 * The crates that a manifest names. Those of a build script run when the project is built, not in production, and so
 * count as development.
 */
export function cratesOf(manifest: CargoToml, workspace: CargoToml | null): WantedCrate[] {
  return [manifest, ...Object.values(manifest.target)].flatMap((each) => [
    ...Object.entries(each.dependencies).map((entry) => {
      const [, wanted] = entry;
      return toCrate(entry, typeof wanted !== 'string' && wanted.optional ? 'optional' : 'runtime', workspace);
    }),
    ...(['dev-dependencies', 'build-dependencies'] as const).flatMap((section) =>
      Object.entries(each[section]).map((entry) => toCrate(entry, 'development', workspace)),
    ),
  ]);
}

type Dependency = z.output<typeof dependency>;

/** A crate may be known in the project under another name: `json = { package = "serde_json" }`. */
function toCrate([key, wanted]: readonly [string, Dependency], scope: Scope, workspace: CargoToml | null): WantedCrate {
  const isInherited = typeof wanted !== 'string' && wanted.workspace;
  const stated = isInherited ? workspace?.workspace.dependencies[key] : wanted;
  const { package: name = key, version = null } = typeof stated === 'string' ? { version: stated } : (stated ?? {});
  return { name, scope, range: version, isInherited };
}
