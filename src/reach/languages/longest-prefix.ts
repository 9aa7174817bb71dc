/** The longest beginning of a name, ending before a separator or at the name's end, that is known; null where none is. */
export function longestPrefix(name: string, separator: string, known: { has(prefix: string): boolean }): string | null {
  for (let end = name.length; end > 0; end = name.lastIndexOf(separator, end - 1)) {
    const prefix = name.slice(0, end);
    if (known.has(prefix)) return prefix;
  }
  return null;
}
