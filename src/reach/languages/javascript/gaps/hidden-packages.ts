import type { PartialSpecifier } from '../parse/reference.js';

/** Beginnings of a specifier that names a file, a built-in module or a URL. */
const noPackage = /^(?:[./~#]|@\/|[a-z][a-z+.-]*:)/i;

/**
 * The packages that a computed specifier may name: those that fit its known ends. Null where it can name none, `any` where
 * nothing narrows it.
 */
export function hiddenBy(
  { prefix, suffix }: PartialSpecifier,
  packageNames: Iterable<string>,
): readonly string[] | 'any' | null {
  if (noPackage.test(prefix)) return null;
  // What follows a slash, or looks like an extension, may be the file of any package.
  const isFile = suffix.includes('/') || /^\.\w+$/.test(suffix);
  const ending = isFile ? '' : suffix;
  if (prefix === '' && ending === '') return 'any';
  const names = [...packageNames].filter((name) => name.startsWith(prefix) && name.endsWith(ending));
  return names.length === 0 ? null : names;
}
