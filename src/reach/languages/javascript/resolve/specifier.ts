import { builtinModules } from 'node:module';

/** A package, and what follows its name in a specifier. */
export interface PackageSpecifier {
  readonly name: string;
  readonly subpath: string | null;
}

const builtins = new Set(builtinModules);

/** Schemes of specifiers that name no package of the registry. */
const otherScheme = /^(?:data|https?|file|virtual|astro|bun|cloudflare|jsr|blob|ext|chrome|workerd|sass):/i;

/** Names that the registry allows, or did allow (capital letters): https://docs.npmjs.com/cli/v11/configuring-npm/package-json#name */
const packageSpecifier = /^((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~_-][\w.~-]*)(?:\/(.*))?$/i;

/** Limit of the registry, in characters. */
const maxNameLength = 214;

/** Whether the module is part of Node.js: `node:fs` or `fs`. */
export function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtins.has(specifier);
}

/** The package that a bare specifier names; null for a path, a URL or an invalid name. */
export function packageOf(specifier: string): PackageSpecifier | null {
  if (otherScheme.test(specifier)) return null;
  // Deno: npm:lodash@4/merge.js
  const bare = specifier.startsWith('npm:') ? specifier.slice(4).replace(/^(@?[^@]+)@[^/]*/, '$1') : specifier;
  const match = packageSpecifier.exec(bare);
  const name = match?.[1];
  if (name === undefined || name.length > maxNameLength) return null;
  return { name, subpath: match?.[2] || null };
}

/** Removes the loaders (`raw-loader!./a.txt`) and the query (`./a.svg?url`) of bundlers. */
export function withoutLoaders(specifier: string): string {
  return specifier.slice(specifier.lastIndexOf('!') + 1).replace(/\?.*$/s, '');
}
