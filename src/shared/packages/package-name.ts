import * as z from 'zod';
import type { Ecosystem } from './ecosystem.js';

/** A package name as its registry spells it; `group:artifact` for Maven, the module path for Go. */
export const packageName = z
  .string()
  .regex(/^[^\s\p{Cc}]{1,256}$/u, 'is a package name of at most 256 characters, no spaces');

export const packageVersion = z
  .string()
  .regex(/^[^\s\p{Cc}]{1,256}$/u, 'is a version of at most 256 characters, no spaces');

/** One text for a package, whatever its version, for use in maps and sets. Registries allow no spaces in names. */
export function packageKey(key: { readonly ecosystem: Ecosystem; readonly package_name: string }): string {
  return `${key.ecosystem} ${key.package_name}`;
}
