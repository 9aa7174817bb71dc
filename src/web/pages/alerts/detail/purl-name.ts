/** `@scope/name 1.0.0` of `pkg:npm/%40scope/name@1.0.0`, for a reader. What is no package URL stays as it is. */
export function purlName(purl: string): string {
  const found = /^pkg:[^/]+\/([^?#]+?)(?:@([^@/?#]+))?(?:[?#].*)?$/.exec(purl);
  if (found === null) return purl;
  const [, name = '', version] = found;
  return version === undefined ? decoded(name) : `${decoded(name)} ${decoded(version)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
