import type { FileGap } from '../language.js';
import { matchAt } from '../mask.js';
import type { PlaceOf } from '../positions.js';
import { isOwnModule } from './own-module-loops.js';
import type { PackageFinder } from './packages.js';
import type { WordString } from './string-literals.js';

const importCall = /(?<![\w.])(?:__import__|(?:importlib[ \t]*\.[ \t]*)?import_module|import_string)[ \t]*\(/g;
/** Loads what installed packages register under a group (https://docs.python.org/3/library/importlib.metadata.html#entry-points). */
const memberDot = '[ \\t]*\\.[ \\t]*';
const pluginCall = new RegExp(
  `(?<![\\w.])(?:(?:importlib${memberDot})?(?:importlib_)?metadata${memberDot}|pkg_resources${memberDot})?(?:iter_)?entry_points[ \\t]*\\(`,
  'g',
);
const quoted = /([rbu]?)(f?)([rb]?)(["'])([^"'\\\n{%]*)/iy;
const ownName = /(?:f["']\{)?(?:__name__|__package__)\b/iy;
const identifier = /([A-Za-z_]\w*)[ \t]*[,)]/y;

/** Computed names of one file that are looked into; more hide anything. */
const maxComputed = 10;

/** Characters of an expression in a report. */
const maxShown = 120;

/** What a file imports by a function call. */
export interface DynamicImports {
  readonly found: readonly WordString[];
  readonly gaps: readonly FileGap[];
  /** Names that are computed. */
  readonly unknown: number;
}

/**
 * Finds imports by a function call. A name that is computed hides packages, unless its beginning shows that it is the project's
 * own. A name that begins with a dot is none of a package.
 *
 * @param text the source, `code` the same with its strings blank
 */
export function dynamicImports(
  text: string,
  code: string,
  words: readonly WordString[],
  placeOf: PlaceOf,
  finder: PackageFinder,
): DynamicImports {
  const byStart = new Map(words.map((each) => [each.from, each]));
  const found: WordString[] = [];
  const gaps: FileGap[] = [];
  let unknown = 0;
  const hide = (index: number, behind: number, hides: readonly string[] | 'any') => {
    unknown += 1;
    if (hides !== 'any' && hides.length === 0) return;
    const detail = (text.slice(index, behind + maxShown).split('\n', 1)[0] ?? '').trim();
    gaps.push({ kind: 'unknown_dynamic', line: placeOf(index).line, detail, hides });
  };
  for (const match of code.matchAll(importCall)) {
    if (isDefinition(code, match.index)) continue;
    const behind = match.index + match[0].length;
    const start = behind + (/^\s*/.exec(text.slice(behind, behind + 200))?.[0].length ?? 0);
    const literal = byStart.get(start);
    if (literal && /^\s*[,)]/.test(code.slice(literal.to, literal.to + 200))) {
      found.push(literal);
      continue;
    }
    const values = unknown < maxComputed ? valuesOf(code, start, words) : null;
    if (unknown < maxComputed && isOwnModule(text, code, match.index, start)) hide(match.index, behind, []);
    else if (values === null)
      hide(match.index, behind, unknown < maxComputed ? hiddenBehind(text, code, start, finder) : 'any');
    else found.push(...values);
  }
  for (const match of code.matchAll(pluginCall)) {
    if (!isDefinition(code, match.index)) hide(match.index, match.index + match[0].length, 'any');
  }
  return { found, gaps, unknown };
}

function isDefinition(code: string, index: number): boolean {
  return /\bdef[ \t]+$/.test(code.slice(Math.max(0, index - 8), index));
}

/** What a name may begin with decides what it hides: `f'app.plugins.{name}'` is a module of `app`. */
function hiddenBehind(text: string, code: string, start: number, finder: PackageFinder): readonly string[] | 'any' {
  if (matchAt(ownName, text, start) !== null) return [];
  const [whole = '', , formatted, , quote = '', beginning = ''] = matchAt(quoted, text, start) ?? [];
  const end = whole === '' ? 0 : start + whole.length;
  if (/^\s*\.\s*join\b/.test(code.slice(end + 1, end + 100))) return 'any';
  if (beginning.startsWith('.')) return [];
  const isContinued =
    formatted !== '' || text[end] !== quote || /^\s*(?:\+|%|\.\s*format\b)/.test(code.slice(end + 1, end + 100));
  if (beginning === '' || !isContinued) return 'any';
  if (!/^[A-Za-z_][\w.]*$/.test(beginning)) return 'any';
  const dot = beginning.lastIndexOf('.');
  return dot === -1 ? finder.startingWith(beginning) : finder.packagesOf(beginning.slice(0, dot));
}

/** The words that a variable stands for, where the file sets it once: to one, or in a loop over several. Null where it may be more. */
function valuesOf(code: string, start: number, words: readonly WordString[]): readonly WordString[] | null {
  const name = matchAt(identifier, code, start)?.[1];
  if (name === undefined) return null;
  const parameter = new RegExp(
    `\\b(?:def[ \\t]+\\w+|lambda)\\b[^\\n]{0,200}\\b${name}\\b|\\b(?:global|nonlocal)[ \\t]+${name}\\b`,
  );
  if (parameter.test(code)) return null;
  const isSet = new RegExp(
    [
      `(?<![\\w.])${name}[ \\t]*(?::[^=\\n]{0,200})?=(?!=)`,
      `(?<![\\w.])for[ \\t]+${name}[ \\t]+in[ \\t]+`,
      `(?<![\\w.])${name}[ \\t]*(?:[-+|&]=|:=|,[^=\\n]{0,200}=(?!=))`,
      `\\b(?:as|for[^\\n]{0,200},)[ \\t]+${name}\\b`,
    ].join('|'),
    'g',
  );
  const [set, ...others] = code.matchAll(isSet);
  if (set === undefined || others.length > 0) return null;
  const from = set.index + set[0].length;
  const lineEnd = code.indexOf('\n', from);
  const end = lineEnd === -1 ? code.length : lineEnd;
  const isLoop = set[0].startsWith('for');
  const stop = isLoop ? code.indexOf(':', from) : end;
  if (stop === -1 || stop > end) return null;
  // Nothing but strings, and for a loop what joins them.
  if (!(isLoop ? /^[ \t]*[([{][\s,]*[)\]}][ \t]*$/ : /^\s*$/).test(code.slice(from, stop))) return null;
  const inside = words.filter((each) => each.from >= from && each.to <= stop);
  const expected = isLoop ? code.slice(from, stop).split(',').length : 1;
  return inside.length > 0 && Math.abs(expected - inside.length) <= (isLoop ? 1 : 0) && inside.length >= expected - 1
    ? inside
    : null;
}
