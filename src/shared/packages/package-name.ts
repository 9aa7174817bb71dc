import * as z from 'zod';

/** A package name as its registry spells it; `group:artifact` for Maven, the module path for Go. */
export const packageName = z
  .string()
  .regex(/^[^\s\p{Cc}]{1,256}$/u, 'is a package name of at most 256 characters, no spaces');

export const packageVersion = z
  .string()
  .regex(/^[^\s\p{Cc}]{1,256}$/u, 'is a version of at most 256 characters, no spaces');
