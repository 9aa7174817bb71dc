/** A package URL as people write it: `lodash@4.17.11`. What is no package URL stays as it is. */
export function packageText(purl: string): string {
  const [, path] = /^pkg:[^/]+\/([^?#]+)/.exec(purl) ?? [];
  if (path === undefined) return purl;
  try {
    return decodeURIComponent(path);
  } catch {
    // A cut text can end in the middle of an escape.
    return path;
  }
}
