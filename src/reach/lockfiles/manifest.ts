import * as z from 'zod';
import { splitReference } from './reference.js';
import type { Roots } from './scopes.js';
import { parseJson, parseShape, type Source, unlessInvalid } from './source.js';

/** The version ranges of a section, by name. */
export const ranges = z.record(z.string(), z.string()).default({});

export const packageJson = z.object({
  dependencies: ranges,
  devDependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
  workspaces: z.unknown().optional(),
});

export type PackageJson = z.output<typeof packageJson>;

/** The package.json in a folder, given relative to the lock file's; null where there is none. */
export async function readPackageJson(source: Source, folder = '.'): Promise<PackageJson | null> {
  const manifest = await source.readRelative(`${folder}/package.json`);
  return manifest && parseShape(manifest, packageJson, parseJson(manifest));
}

const withPackageManager = z.object({ packageManager: z.string().optional() });

/** `pnpm` for `"packageManager": "pnpm@10.0.0"` (https://nodejs.org/api/corepack.html); null where none is named. */
export function packageManagerOf(manifest: Source): string | null {
  const { packageManager } = parseShape(manifest, withPackageManager, parseJson(manifest));
  return packageManager?.split('@')[0] ?? null;
}

/** The tool with the version that `packageManager` of the package.json beside the file names, as `pnpm@11.21.0`; without, its name. */
export async function toolIn(source: Source, name: string): Promise<string> {
  const manifest = await source.readRelative('package.json');
  // A broken manifest names no tool.
  const content = manifest && (await unlessInvalid(() => parseJson(manifest), undefined));
  const parsed = withPackageManager.safeParse(content);
  const [tool = name] = (parsed.data?.packageManager ?? name).split('+');
  return tool.startsWith(`${name}@`) ? tool.slice(0, 100) : name;
}

export const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

export type Section = (typeof sections)[number];

/** Fields that may be absent, each an object with names as its keys. */
type Named<Field extends string> = { readonly [field in Field]?: Readonly<Record<string, unknown>> | undefined };

/** Every package name that a package.json asks for. */
export function declaredNames(manifest: Named<Section>): string[] {
  return sections.flatMap((section) => Object.keys(manifest[section] ?? {}));
}

/**
 * The range of the package in the registry: `^3` for the alias `npm:lodash@^3`, and for `npm:^3` of Yarn. An empty one takes any version
 * (https://docs.npmjs.com/cli/v11/configuring-npm/package-json#dependencies). Null for what is no text.
 */
export function registryRange(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  if (!text.startsWith('npm:')) return text.trim() || '*';
  const { name, rest } = splitReference(text.slice('npm:'.length));
  return rest || name;
}

/** The same as a manifest asks for it. An alias stays whole, because the manifest knows the package by another name. */
export function askedRange(text: unknown): string | null {
  const isAlias =
    typeof text === 'string' && text.startsWith('npm:') && splitReference(text.slice('npm:'.length)).rest !== '';
  return isAlias ? text : registryRange(text);
}

/** The sections that are installed where peers are not. */
export const installed = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
export type Installed = (typeof installed)[number];

/** What a project asks for, where peers are not installed. */
export function rootsBySection(keysIn: (section: Installed) => string[]): Roots {
  return {
    runtime: keysIn('dependencies'),
    optional: keysIn('optionalDependencies'),
    development: keysIn('devDependencies'),
  };
}

const named = z.record(z.string(), z.unknown()).optional();

/** The fields of a lock file's entry that name its peers. */
export const peerFields = { peerDependencies: named, peerDependenciesMeta: named };

/** The names of a package's peers. `peerDependenciesMeta` alone can name an optional peer of any version. */
export function peersOf(entry: Named<keyof typeof peerFields>): { readonly peers?: string[] } {
  const peers = Object.keys({ ...entry.peerDependencies, ...entry.peerDependenciesMeta });
  return peers.length === 0 ? {} : { peers };
}
