/** The longest of the known names that is the whole text or its beginning up to a separator. */
export function longestPrefix(text: string, separator: string, known: { has(name: string): boolean }): string | null {
  let prefix = text;
  while (prefix !== '') {
    if (known.has(prefix)) return prefix;
    prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(separator)));
  }
  return null;
}
