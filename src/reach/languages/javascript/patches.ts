import { nameIn } from './tree-paths.js';

/**
 * The names of packages that a patch may be of, by its file's name: `@scope+name+1.0.0.patch` (patch-package),
 * `@scope__name@1.0.0.patch` (pnpm), `@scope-name-npm-1.0.0-0123456789.patch` (Yarn).
 */
export function patchedName(path: string): readonly string[] {
  const name = nameIn(path);
  if (!name.endsWith('.patch')) return [];
  const stem = name.slice(0, -'.patch'.length);
  const nested = stem.split('++').at(-1) ?? stem;
  const patchPackage = /^((?:@[^+]+\+)?[^+]+)\+\d/.exec(nested)?.[1]?.replace('+', '/');
  const pnpm = /^(@?[^@]+)(?:@\d.*)?$/.exec(stem)?.[1]?.replace('__', '/');
  const yarn = /^(.+)-(?:npm|patch)-/.exec(stem)?.[1];
  const scoped = yarn?.startsWith('@') ? yarn.replace('-', '/') : yarn;
  return [patchPackage, pnpm, scoped].filter((found) => found !== undefined);
}
