import type { Scope } from '../package-list.js';

/** What an installation asks for: `any` where the name may be among them or not. */
interface Selection {
  readonly extras: readonly string[] | 'any';
  readonly dependency_groups: readonly string[] | 'any';
}

/** Characters and levels of parentheses; a tool writes some hundred and four. */
const maxLength = 10_000;
const maxDepth = 64;

const token = /\s*(?:([()]|and\b|or\b)|("[^"]*"|'[^']*')|(not\s+in\b|in\b|[<>=!~]{1,3})|([A-Za-z_][\w.]*))/y;

/**
 * The scope of a package by its marker (dependency specifiers, with `extras` and `dependency_groups` of PEP 751). Runtime: a
 * plain installation has it. Optional: one with some extra has it. Development: it needs a group that is no default.
 * What a marker says of system and Python version is passed over, and a marker that cannot be read counts as runtime.
 */
export function scopeOfMarker(marker: string | undefined, defaultGroups: readonly string[]): Scope {
  if (marker === undefined) return 'runtime';
  const tokens = tokensOf(marker);
  const holds = (selection: Selection) => tokens === null || (evaluate(tokens, selection) ?? true);
  if (holds({ extras: [], dependency_groups: defaultGroups })) return 'runtime';
  return holds({ extras: 'any', dependency_groups: defaultGroups }) ? 'optional' : 'development';
}

function tokensOf(marker: string): string[] | null {
  if (marker.length > maxLength) return null;
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < marker.trimEnd().length) {
    const found = token.exec(marker)?.[0];
    if (found === undefined) return null;
    tokens.push(found.trim().replace(/\s+/, ' '));
  }
  return tokens;
}

/** Whether the marker can hold; null where the tokens are no marker. */
function evaluate(tokens: readonly string[], selection: Selection): boolean | null {
  let at = 0;
  const alternatives = (depth: number): boolean | null => {
    let result = conjunction(depth);
    while (tokens[at] === 'or') {
      at += 1;
      const other = conjunction(depth);
      result = result === null || other === null ? null : result || other;
    }
    return result;
  };
  const conjunction = (depth: number): boolean | null => {
    let result = comparison(depth);
    while (tokens[at] === 'and') {
      at += 1;
      const other = comparison(depth);
      result = result === null || other === null ? null : result && other;
    }
    return result;
  };
  const comparison = (depth: number): boolean | null => {
    if (tokens[at] === '(' && depth < maxDepth) {
      at += 1;
      const inner = alternatives(depth + 1);
      return tokens[at++] === ')' ? inner : null;
    }
    const [left, operator, right] = tokens.slice(at, at + 3);
    at += 3;
    return left === undefined || operator === undefined || right === undefined
      ? null
      : compare(left, operator, right, selection);
  };
  const result = alternatives(0);
  return at === tokens.length ? result : null;
}

function compare(left: string, operator: string, right: string, selection: Selection): boolean {
  // Any system and any Python version can be meant.
  if (right !== 'extras' && right !== 'dependency_groups') return true;
  const selected = selection[right];
  if (selected === 'any') return true;
  return selected.includes(left.slice(1, -1)) === (operator === 'in');
}
