import type { Ecosystem } from './ecosystem.js';

/** One text for a package, whatever its version, for use in maps and sets. Registries allow no spaces in names. */
export function packageKey(key: { readonly ecosystem: Ecosystem; readonly package_name: string }): string {
  return `${key.ecosystem} ${key.package_name}`;
}
