import * as z from 'zod';
import { parseJson, parseShape, type Source } from './source.js';

const ranges = z.record(z.string(), z.string()).default({});

const packageJson = z.object({
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

/** Every package name that a package.json asks for. */
export function declaredNames(manifest: {
  readonly dependencies?: Readonly<Record<string, unknown>> | undefined;
  readonly devDependencies?: Readonly<Record<string, unknown>> | undefined;
  readonly optionalDependencies?: Readonly<Record<string, unknown>> | undefined;
  readonly peerDependencies?: Readonly<Record<string, unknown>> | undefined;
}): string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  return [dependencies, devDependencies, optionalDependencies, peerDependencies].flatMap((section) =>
    Object.keys(section ?? {}),
  );
}
