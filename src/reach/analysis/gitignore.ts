interface Rule {
  readonly matches: (path: string) => boolean;
  readonly negated: boolean;
}

/** Of a .gitignore file: more lines than any project writes by hand are not read. */
const maxRules = 2000;

/** The longest pattern that is read, and the most `*` of one: what is matched against hostile names stays quick. */
const maxPattern = 256;
const maxStars = 6;

/**
 * Whether the rules of one .gitignore file ignore a folder; null where none speaks of it. Paths are relative to the folder
 * of the file. Only folders are asked for, so patterns that mean files alone do no harm.
 * Source: gitignore(5), "Pattern format".
 */
export function parseGitignore(text: string): (folder: string) => boolean | null {
  const rules = text
    .split(/\r?\n/, maxRules)
    .map(toRule)
    .filter((rule) => rule !== null);
  return (folder) => {
    const last = rules.findLast(({ matches }) => matches(folder));
    return last === undefined ? null : !last.negated;
  };
}

function toRule(line: string): Rule | null {
  let pattern = line.trimEnd();
  if (pattern === '' || pattern.startsWith('#') || pattern.length > maxPattern) return null;
  if (pattern.split('*').length - 1 > maxStars) return null;
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const anchored = pattern.slice(0, -1).includes('/');
  // `dist/*` and `dist/**` ignore all that the folder holds, which comes to the folder itself.
  pattern = pattern.replace(/\/\*{0,2}$/, '');
  if (pattern === '') return null;
  const parts = pattern.split('/').filter((part) => part !== '');
  const expressions = parts.map((part) => (part === '**' ? null : toExpression(part)));
  return {
    negated,
    matches: (path) => {
      const names = path.split('/');
      return anchored ? matchesParts(expressions, names) : (expressions[0]?.test(names.at(-1) ?? '') ?? false);
    },
  };
}

/** Whether the parts of a path fit the parts of a pattern, in which null stands for `**`: any number of parts. */
function matchesParts(expressions: readonly (RegExp | null)[], names: readonly string[]): boolean {
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

/** One part of a pattern: `*` and `?` stand for characters of one name. Classes in brackets are taken as any character. */
function toExpression(part: string): RegExp {
  const source = part
    .replace(/\*+/g, '*')
    .replace(/\[[^\]]*\]/g, '?')
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 'u');
}
