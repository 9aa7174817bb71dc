import { pathPattern } from './path-pattern.js';

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly negated: boolean;
}

/** Of a .gitignore file: more lines than any project writes by hand are not read. */
const maxRules = 2000;

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
  if (pattern === '' || pattern.startsWith('#')) return null;
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const anchored = pattern.slice(0, -1).includes('/');
  // `dist/*` and `dist/**` ignore all that the folder holds, which comes to the folder itself.
  pattern = pattern.replace(/\/\*{0,2}$/, '');
  const matches = pathPattern(pattern);
  if (matches === null) return null;
  return { negated, matches: anchored ? matches : (path) => matches(path.slice(path.lastIndexOf('/') + 1)) };
}
