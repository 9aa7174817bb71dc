import { FirstReferences } from '../first-references.js';
import type { FileGap, ParsedFile } from '../language.js';
import { type Blank, blankUpTo, endAfter, endOfQuoted, isStringAt, Mask, maskText, matchAt } from '../mask.js';
import { positionsIn } from '../positions.js';
import { bundlesForDevelopment } from './bundles.js';
import { computedClasses } from './dynamic-code.js';

const heredoc = /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1\r?\n/y;
const lineComment = /[^\r\n]*?(?=\?>|[\r\n]|$)/y;

const openingTag = /<\?(?:php\b|=)/g;

/** What is no code: comments, strings and the markup outside of PHP's tags, with which a file begins. */
function blankAt(text: string, at: number): Blank | null {
  const char = text[at] ?? '';
  const next = text[at + 1];
  if (at === 0) return markupAt(text, at);
  switch (char) {
    case '?':
      return next === '>' ? markupAt(text, at) : null;
    case '#':
      return next === '[' ? null : lineCommentAt(text, at);
    case '/':
      if (next === '/') return lineCommentAt(text, at);
      return next === '*' ? blankUpTo(endAfter(text, '*/', at + 2), text.length) : null;
    case '"':
    case "'":
    case '`':
      return blankUpTo(endOfQuoted(text, at, char, true), text.length);
    case '<':
      return text.startsWith('<<<', at) ? blankUpTo(endOfHeredoc(text, at), text.length) : null;
    default:
      return null;
  }
}

function markupAt(text: string, at: number): Blank {
  const open = matchAt(openingTag, text, at);
  return { end: open === null ? text.length : open.index + open[0].length, isBroken: false };
}

function lineCommentAt(text: string, at: number): Blank {
  const length = matchAt(lineComment, text, at)?.[0].length ?? 0;
  return { end: at + Math.max(1, length), isBroken: false };
}

function endOfHeredoc(text: string, start: number): number | null {
  const open = matchAt(heredoc, text, start);
  if (open === null) return start + 3;
  const close = matchAt(new RegExp(`^[ \\t]*${open[2]}\\b`, 'gm'), text, start + open[0].length);
  return close && close.index + close[0].length;
}

const useStatement =
  /(?<![\w$\\>:])use\s+(?:(?:function|const)\s+)?(\\?[A-Za-z_][\w\\]*)([^;(){}]{0,400}?)(?:\{([^{}]{0,20000})\})?\s*;/g;
const qualified = /(?<![\w\\])\\([A-Za-z_]\w*(?:\\[A-Za-z_]\w*)+)/g;
const attributeOrNew = /(?<![\w\\$>])([A-Z]\w*(?:\\[A-Za-z_]\w*)+)/g;
/** A class without a namespace: `\\Parsedown`, and in a file without one also `new Parsedown`, `Parsedown::`. */
const globalClass = /(?<![\w\\$])\\([A-Z]\w*)(?![\w\\(])/g;
const globalInPlainFile =
  /(?<![\w\\$>:])(?:(?:new|extends|instanceof)\s{1,20}([A-Z]\w{0,100})(?![\w\\])|([A-Z]\w{0,100})\s{0,20}::)/g;
const namespaceLine = /^[ \t]*(?:<\?php[ \t]+)?namespace\s/m;
const include = /(?<![\w$>:])(?:require|include)(?:_once)?\b/g;
const literalPath = /\s*\(?\s*(?:(?:__DIR__|dirname\s*\(\s*__FILE__\s*\))\s*\.\s*)?(["'])([^"'$\n]+)\1\s*\)?\s*;/y;
const classLoaderPath = /^\/?(?:\.\.\/)*vendor\/autoload(?:_runtime)?\.php$/;

/** An include that begins in a folder of the project leads to a file of the project, unless it names `vendor`. */
const ownPath = /^\s*\(?\s*(?:__DIR__|__FILE__|dirname\b|\w+_path\s*\(|[A-Z][A-Z_]*(?:PATH|DIR|ROOT)\b)/;
/** Composer's class loader by a path whose beginning is computed, and nothing else: `dirname(__DIR__).'/vendor/autoload.php'`. */
const computedClassLoader =
  /^\s*\(?\s*(?:__DIR__|dirname\s*\(\s*__(?:DIR|FILE)__\s*(?:,\s*\d\s*)?\))\s*\.\s*(["'])(\/?(?:\.\.\/)*vendor\/[\w./]+)\1\s*\)?\s*;/;
const quotedClass = /["'\s(]\\{0,2}([A-Z]\w{0,100}(?:\\{1,2}[A-Za-z_]\w{0,100}){1,12})(?=["'\s:(),@]|::)/g;

const starts =
  /(?:^|\/)(?:index\.php|artisan|console|yii|spark|craft|occ|bin\/cake|worker\.php|cron\.php|wp-config\.php|server\.php)$/;

/** Gaps of one file; one already hides any package. */
const maxGaps = 20;

/**
 * Parses one file of PHP (https://www.php.net/manual/language.namespaces.importing.php). Targets are full class names, with
 * a backslash first where code uses a class without a namespace, or `file:` and the path of an included file.
 */
export function parsePhp(path: string, text: string): ParsedFile {
  const { code, isBroken } = maskText(text, blankAt);
  const placeOf = positionsIn(text);
  const references = new FirstReferences(placeOf);
  addClasses(references, code);
  addQuotedClasses(references, path, text, code);
  if (/(?:^|\/)config\/bundles\.php$/.test(path)) {
    for (const name of bundlesForDevelopment(text)) references.setRole(name, 'config');
  }
  const included = includedFiles(text, code);
  for (const { file, offset } of included.files) references.add({ target: `file:${file}`, kind: 'require' }, offset);
  const hidden = included.hidden.map(({ keyword, offset }): FileGap => {
    const { line } = placeOf(offset);
    return { kind: 'unknown_dynamic', line, detail: `${keyword} of a computed path`, hides: 'any' };
  });
  const gaps = [...computedClasses(code, text, placeOf), ...hidden].slice(0, maxGaps);
  const entry = starts.test(path) ? 'started by its name' : null;
  return { references: references.all, unknownDynamic: included.computed, gaps, isBroken, entry };
}

/** Adds the classes that code names. Their symbols are never complete: calls on an object of a class are not found. */
function addClasses(references: FirstReferences, code: string): void {
  for (const { name, offset } of classNames(code)) {
    const target = name.replace(/^\\/, '').replaceAll(/\s/g, '');
    if (target !== '') references.add({ target, kind: 'import', symbols: [target] }, offset);
  }
  const addGlobal = (name: string, offset: number) =>
    references.add({ target: `\\${name}`, kind: 'import', symbols: [name] }, offset);
  for (const { 1: name = '', index } of code.matchAll(globalClass)) addGlobal(name, index);
  if (namespaceLine.test(code)) return;
  for (const { 1: made, 2: named = '', index } of code.matchAll(globalInPlainFile)) addGlobal(made ?? named, index);
}

/** Adds the classes that strings name. Code names its own above; a template of Blade is markup with code in it. */
function addQuotedClasses(references: FirstReferences, path: string, text: string, code: string): void {
  for (const { 0: whole, 1: name = '', index } of text.matchAll(quotedClass)) {
    const offset = index + whole.indexOf(name);
    if (code[offset] !== ' ') continue;
    const isString = /["']/.test(whole[0] ?? '') && /["']/.test(text[index + whole.length] ?? '');
    const isText =
      path.endsWith('.blade.php') || (isString && isStringAt(text, code, [index, index + whole.length + 1]));
    if (isText) references.add({ target: name.replaceAll('\\\\', '\\'), kind: 'mention' }, offset);
  }
}

/** The files that code includes by a literal path, and the places that may include one of a package by a computed one. */
function includedFiles(text: string, code: string) {
  const files: { file: string; offset: number }[] = [];
  const hidden: { keyword: string; offset: number }[] = [];
  let computed = 0;
  for (const { 0: keyword, index: offset } of code.matchAll(include)) {
    const behind = offset + keyword.length;
    const file = matchAt(literalPath, text, behind)?.[2];
    if (file !== undefined) {
      if (!classLoaderPath.test(file)) files.push({ file, offset });
      continue;
    }
    const rest = text.slice(behind, behind + 300);
    const expression = rest.slice(0, rest.indexOf(';') + 1) || rest;
    if (classLoaderPath.test(computedClassLoader.exec(expression)?.[2] ?? '')) continue;
    computed += 1;
    if (!ownPath.test(expression) || /vendor/.test(expression)) hidden.push({ keyword, offset });
  }
  return { files, hidden, computed };
}

interface ClassName {
  readonly name: string;
  readonly offset: number;
}

/** Class names of `use` statements, then full names in other code. */
function classNames(code: string): ClassName[] {
  const names: ClassName[] = [];
  const body = new Mask(code);
  const imported = new Set<string>();
  for (const { 0: whole, 1: first = '', 2: more = '', 3: group, index: offset } of code.matchAll(useStatement)) {
    body.blankLines(offset, offset + whole.length);
    const inStatement =
      group === undefined
        ? [first, ...more.split(',').slice(1)]
        : group.split(',').flatMap((each) => inGroup(first, each));
    for (const name of inStatement) names.push({ name: withoutAlias(name), offset });
    // A function's alias names no class.
    if (/^use\s+(?:function|const)\s/.test(whole)) continue;
    for (const { 1: alias = '' } of whole.matchAll(/\sas\s+(\w+)/g)) imported.add(alias);
  }
  const rest = body.finish().replaceAll(/^[ \t]*namespace\s[^;{]*/gm, (found) => ' '.repeat(found.length));
  for (const { name } of names) imported.add(name.slice(name.lastIndexOf('\\') + 1));
  for (const { 1: name = '', index: offset } of rest.matchAll(qualified)) names.push({ name, offset });
  for (const { 1: name = '', index: offset } of rest.matchAll(attributeOrNew)) {
    // A name that begins with an alias, or with the last part of an import, means that import, which is in the list already.
    const [head = ''] = name.split('\\');
    if (!imported.has(head)) names.push({ name, offset });
  }
  return names;
}

/** `A\B` for `B`, `function B` or `B as C` in the group of `use A\{B, C}`. */
function inGroup(prefix: string, member: string): string[] {
  const name = member.trim().replace(/^(?:function|const)\s+/, '');
  return name === '' ? [] : [`${prefix}${withoutAlias(name)}`];
}

/** `A\B` for `A\B as C`. */
function withoutAlias(name: string): string {
  return name.trim().split(/\s/, 1)[0] ?? '';
}
