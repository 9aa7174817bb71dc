import type { Tarball } from './package-list.js';

/** The archive of a package; nothing where the file names neither its address nor its digest. */
export function tarballAt(url: string | null, integrity: string | null): { readonly tarball?: Tarball } {
  return url === null && integrity === null ? {} : { tarball: { url, integrity } };
}
