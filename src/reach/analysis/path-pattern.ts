/** The most `*` of one part: what is matched against hostile names stays quick. */
const maxStars = 6;
const maxPattern = 512;

/**
 * Turns a pattern of paths into its test: `*` and `?` stand for characters of one name, `**` for any number of folders.
 * Classes in brackets are taken as any character. Null for a pattern that is empty, or made to be slow.
 */
export function pathPattern(pattern: string): ((path: string) => boolean) | null {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || pattern.length > maxPattern) return null;
  if (parts.some((part) => part.split('*').length - 1 > maxStars)) return null;
  const expressions = parts.map((part) => (part === '**' ? null : toExpression(part)));
  return (path) => matches(expressions, path.split('/'));
}

/** Whether the names of a path fit the parts of a pattern, in which null stands for `**`. */
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
