/** In one part of a pattern; more would make the match with a hostile name slow. */
const maxStars = 6;
const maxPatternLength = 512;

/**
 * The test that a pattern of paths means: `*` and `?` match characters of one name, `**` any number of folders. A class in
 * brackets matches any character. Null for a pattern that is empty, too long or slow to match.
 */
export function pathPattern(pattern: string): ((path: string) => boolean) | null {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || pattern.length > maxPatternLength) return null;
  if (parts.some((part) => part.split('*').length - 1 > maxStars)) return null;
  const expressions = parts.map((part) => (part === '**' ? null : toExpression(part)));
  return (path) => matches(expressions, path.split('/'));
}

/** Whether the names of a path match the parts of a pattern; a part that is null means `**`. */
function matches(expressions: readonly (RegExp | null)[], names: readonly string[]): boolean {
  let reachable = new Set([0]);
  for (const expression of expressions) {
    const next = new Set<number>();
    for (const at of reachable) {
      if (expression === null) for (let later = at; later <= names.length; later++) next.add(later);
      else if (at < names.length && expression.test(names[at] ?? '')) next.add(at + 1);
    }
    reachable = next;
  }
  return reachable.has(names.length);
}

function toExpression(part: string): RegExp {
  const source = part
    .replace(/\*+/g, '*')
    .replace(/\[[^\]]*\]/g, '?')
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 'u');
}
