/**
 * The keys of a JSON object with the values of those that are texts, as far as the text goes. It may end anywhere, as the
 * first part of a large file does. Empty where it begins with something else.
 */
export function topLevel(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let depth = 0;
  let key: string | null = null;
  // Texts, and the marks between them; what else there is (numbers, words, spaces) does not matter.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs)) {
    if (token === '{' || token === '[') {
      if (depth === 0 && token === '[') return found;
      depth += 1;
    } else if (token === '}' || token === ']') {
      depth -= 1;
      if (depth === 0) return found;
    } else if (depth === 1) {
      key = readToken(found, token, key);
    }
  }
  return found;
}

/** Takes a token of the object itself. Answers the key whose value comes next. */
function readToken(found: Map<string, string>, token: string, key: string | null): string | null {
  if (token === ',') return null;
  if (token === ':') return key;
  if (key === null) {
    const name = token.slice(1, -1);
    found.set(name, '');
    return name;
  }
  found.set(key, token.slice(1, -1));
  return key;
}
