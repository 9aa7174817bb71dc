import { builtinModules } from 'node:module';

/** A package and what follows its name in a specifier. */
export interface PackageSpecifier {
  readonly name: string;
  readonly subpath: string | null;
}

const builtins = new Set(builtinModules);

/** Schemes that name no package of the registry. */
const foreign = /^(?:data|https?|file|virtual|astro|bun|cloudflare|jsr|blob|ext|chrome|workerd|sass):/i;

/** As the registry allows it now or once did (capital letters): https://docs.npmjs.com/cli/v11/configuring-npm/package-json#name */
const packageSpecifier = /^((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~_-][\w.~-]*)(?:\/(.*))?$/i;

/** The longest name that the registry takes. */
const maxName = 214;

/** Whether Node.js has the module itself, as `node:fs` or `fs`. */
export function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtins.has(specifier);
}

/** The package that a bare specifier names; null for a path, a URL or what no package can be called. */
export function packageOf(specifier: string): PackageSpecifier | null {
  if (foreign.test(specifier)) return null;
  // Deno's way: npm:lodash@4/merge.js
  const bare = specifier.startsWith('npm:') ? specifier.slice(4).replace(/^(@?[^@]+)@[^/]*/, '$1') : specifier;
  const match = packageSpecifier.exec(bare);
  const name = match?.[1];
  if (name === undefined || name.length > maxName) return null;
  return { name, subpath: match?.[2] || null };
}

/** A specifier without a bundler's loaders (`raw-loader!./a.txt`) and query (`./a.svg?url`). */
export function withoutLoaders(specifier: string): string {
  return specifier.slice(specifier.lastIndexOf('!') + 1).replace(/\?.*$/s, '');
}
