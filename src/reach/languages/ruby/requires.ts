import { gemsIn } from '../../lockfiles/gemfile.js';
import type { ParsedFile, Reference } from '../language.js';
import { Lines } from '../lines.js';
import { endOfLine, Mask } from '../mask.js';

const heredocStart = /<<[~-]?(["'`]?)([A-Z_][A-Za-z_0-9]*)\1/g;
const beforePattern = /(?:^|[=(,[!|&?:;{}~]|\b(?:if|unless|and|or|not|when|return|elsif|while|until|match))[ \t]*$/;
const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/**
 * Code alone, line by line: comments, strings, patterns and here-documents are blank. Of another string that spans lines
 * only the first line is blank. So a quote that is taken for a string by mistake costs one line.
 */
function maskRuby(text: string): string {
  const mask = new Mask(text);
  let waiting: { readonly name: string }[] = [];
  let inComment = false;
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    const [here] = waiting;
    if (line === '__END__') {
      mask.blankLines(start, text.length);
      break;
    }
    if (here !== undefined) {
      if (line.trim() === here.name) waiting = waiting.slice(1);
      mask.blankLines(start, end);
    } else if (inComment || line.startsWith('=begin')) {
      inComment = !line.startsWith('=end');
      mask.blankLines(start, end);
    } else waiting = maskLine(line, start, mask);
    start = end + 1;
  }
  return mask.finish();
}

/** Characters before a slash that decide whether it begins a pattern. */
const lookBehind = 40;

/** Characters; longer lines are generated. */
const maxLineLength = 20_000;

/** Blanks everything but code in one line, and answers which here-documents follow it. */
function maskLine(line: string, start: number, mask: Mask): { readonly name: string }[] {
  if (line.length > maxLineLength) {
    mask.blankLines(start, start + line.length);
    return [];
  }
  const strings: (readonly [from: number, to: number])[] = [];
  let comment = line.length;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? '';
    if (char === '#') {
      comment = at;
      break;
    }
    let end = -1;
    if (char === '"' || char === "'" || char === '`') end = endInLine(line, at + 1, char);
    else if (char === '/' && beforePattern.test(line.slice(Math.max(0, at - lookBehind), at)))
      end = endInLine(line, at + 1, '/');
    else if (
      char === '%' &&
      /^%[qQwWiIrx]?[^\w\s=]/.test(line.slice(at, at + 3)) &&
      beforePattern.test(line.slice(Math.max(0, at - lookBehind), at))
    ) {
      const open = /\w/.test(line[at + 1] ?? '') ? at + 2 : at + 1;
      end = endInLine(line, open + 1, brackets[line[open] ?? ''] ?? line[open] ?? '');
    }
    if (end !== -1) {
      strings.push([at, end]);
      at = end - 1;
    }
  }
  const documents = [...line.slice(0, comment).matchAll(heredocStart)]
    .filter(({ index }) => !strings.some(([from, to]) => from <= index && index < to))
    .map(({ 2: name = '' }) => ({ name }));
  for (const [from, to] of strings) mask.blankLines(start + from, start + to);
  mask.blankLines(start + comment, start + line.length);
  return documents;
}

/** The index behind the closing character, -1 where the line has none. */
function endInLine(line: string, from: number, close: string): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === close) return at + 1;
  }
  return -1;
}

/** A file of Ruby. Targets are `require:path`, `relative:path`, `gem:name` and `constant:Name::Of`. */
export interface ParsedRuby extends ParsedFile {
  /** `Bundler.require` loads every gem of the Gemfile. */
  readonly loadsBundle: boolean;
}

const requireCall = /(?<![\w.:@$])(require|require_relative|load|autoload)\b(?![ \t]*[=.]|:(?!:))/g;
const literal = /[ \t]*\(?[ \t]*(?::\w+[ \t]*,[ \t]*)?(["'])([^"'#\n]+)\1/y;
const constant = /(?<![\w:.@$])(?:::)?([A-Z]\w*(?:::[A-Z]\w*)*)/g;
const starts =
  /(?:^|\/)(?:config\.ru|config\/(?:application|environment)\.rb|(?:bin|exe)\/[^/]+|app\.rb|main\.rb|server\.rb)$/;

/** Parses one file of Ruby, or a Gemfile. */
export function parseRuby(path: string, text: string): ParsedRuby {
  const lines = new Lines(text);
  if (/(?:^|\/)(?:Gemfile|gems\.rb)$/.test(path)) return parseGemfile(text);
  const code = maskRuby(text);
  const references: Reference[] = [];
  let unknownDynamic = 0;
  for (const { 1: keyword = '', index } of code.matchAll(requireCall)) {
    literal.lastIndex = index + keyword.length;
    const path = literal.exec(text)?.[2];
    if (path === undefined) {
      // Without an argument it is a method of that name (`def require`) and no call.
      if (/^[ \t]*[("'A-Za-z_@]/.test(text.slice(index + keyword.length, index + keyword.length + 20)))
        unknownDynamic += 1;
      continue;
    }
    references.push({
      target: `${keyword === 'require_relative' ? 'relative' : 'require'}:${path}`,
      ...lines.placeOf(index),
      kind: keyword === 'autoload' ? 'dynamic' : 'require',
    });
  }
  const names = new Map<string, number>();
  for (const { 1: name = '', index } of code.matchAll(constant)) if (!names.has(name)) names.set(name, index);
  for (const [name, index] of names) {
    references.push({
      target: `constant:${name}`,
      ...lines.placeOf(index),
      kind: 'mention',
      symbols: [name],
    });
  }
  const entry = starts.test(path) ? 'started by its name' : null;
  return { references, unknownDynamic, isBroken: false, entry, loadsBundle: /\bBundler\.require\b/.test(code) };
}

function parseGemfile(text: string): ParsedRuby {
  const references = gemsIn(text)
    .filter(({ loaded }) => loaded)
    .map(
      ({ name, line, scope }): Reference => ({
        target: `gem:${name}`,
        line,
        column: 1,
        kind: 'require',
        role: scope === 'development' ? 'test' : 'prod',
      }),
    );
  return { references, isBroken: false, entry: null, loadsBundle: false };
}
