import type { ParsedFile, Reference } from '../language.js';
import { Lines } from '../lines.js';
import { endAfter, endOfQuoted, isStringAt, Mask } from '../mask.js';
import { bundlesForDevelopment } from './bundles.js';
import { computedClasses } from './dynamic-code.js';

const heredoc = /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1\r?\n/y;
const lineComment = /[^\r\n]*?(?=\?>|[\r\n]|$)/y;

/** Code alone: comments, strings and the markup outside of PHP's tags are blank, line ends stay. */
function maskPhp(text: string): { readonly code: string; readonly isBroken: boolean } {
  const mask = new Mask(text);
  let isBroken = false;
  let at = 0;
  const blankTo = (end: number | null) => {
    if (end === null) isBroken = true;
    mask.blankLines(at, end ?? text.length);
    at = end ?? text.length;
  };
  const skipMarkup = () => {
    const open = /<\?(?:php\b|=)/g;
    open.lastIndex = at;
    blankTo(open.exec(text) === null ? text.length : open.lastIndex);
  };
  skipMarkup();
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '?' && text[at + 1] === '>') skipMarkup();
    else if ((char === '#' && text[at + 1] !== '[') || (char === '/' && text[at + 1] === '/')) {
      lineComment.lastIndex = at;
      lineComment.exec(text);
      blankTo(Math.max(at + 1, lineComment.lastIndex));
    } else if (char === '/' && text[at + 1] === '*') blankTo(endAfter(text, '*/', at + 2));
    else if (char === '"' || char === "'" || char === '`') blankTo(endOfQuoted(text, at, char, true));
    else if (char === '<' && text.startsWith('<<<', at)) blankTo(endOfHeredoc(text, at));
    else at += 1;
  }
  return { code: mask.finish(), isBroken };
}

function endOfHeredoc(text: string, start: number): number | null {
  heredoc.lastIndex = start;
  const name = heredoc.exec(text)?.[2];
  if (name === undefined) return start + 3;
  const close = new RegExp(`^[ \\t]*${name}\\b`, 'gm');
  close.lastIndex = heredoc.lastIndex;
  return close.exec(text) === null ? null : close.lastIndex;
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
  /^\s*\(?\s*(?:__DIR__|dirname\s*\(\s*(?:__DIR__|__FILE__)\s*(?:,\s*\d\s*)?\))\s*\.\s*(["'])\/?(?:\.\.\/)*vendor\/autoload(?:_runtime)?\.php\1\s*\)?\s*;/;
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
  const { code, isBroken } = maskPhp(text);
  const lines = new Lines(text);
  const references = new Map<string, Reference>();
  const add = (target: string, offset: number, kind: Reference['kind'], symbols: readonly string[]) => {
    if (!references.has(target)) references.set(target, { target, ...lines.placeOf(offset), kind, symbols });
  };
  for (const { name, offset } of classNames(code)) {
    const target = name.replace(/^\\/, '').replaceAll(/\s/g, '');
    // Never complete: calls on an object of a class are not found.
    if (target !== '') add(target, offset, 'import', [target]);
  }
  for (const { 1: name = '', index } of code.matchAll(globalClass)) add(`\\${name}`, index, 'import', [name]);
  if (!namespaceLine.test(code)) {
    for (const { 1: made, 2: named = '', index } of code.matchAll(globalInPlainFile)) {
      add(`\\${made ?? named}`, index, 'import', [made ?? named]);
    }
  }
  for (const { 0: whole, 1: name = '', index } of text.matchAll(quotedClass)) {
    const offset = index + whole.indexOf(name);
    // In code it is found above. A template of Blade is markup with code in it.
    const isString = /["']/.test(whole[0] ?? '') && /["']/.test(text[index + whole.length] ?? '');
    const isText =
      path.endsWith('.blade.php') || (isString && isStringAt(text, code, [index, index + whole.length + 1]));
    if (code[offset] !== ' ') continue;
    if (isText) add(name.replaceAll('\\\\', '\\'), offset, 'mention', []);
  }
  if (/(?:^|\/)config\/bundles\.php$/.test(path)) {
    for (const name of bundlesForDevelopment(text)) {
      const found = references.get(name);
      if (found !== undefined) references.set(name, { ...found, role: 'config' });
    }
  }
  const gaps = computedClasses(code, text, lines);
  let unknownDynamic = 0;
  for (const { 0: keyword, index } of code.matchAll(include)) {
    literalPath.lastIndex = index + keyword.length;
    const found = literalPath.exec(text)?.[2];
    if (found === undefined) {
      const rest = text.slice(index + keyword.length, index + keyword.length + 300);
      const expression = rest.slice(0, rest.indexOf(';') + 1) || rest;
      if (computedClassLoader.test(expression)) continue;
      unknownDynamic += 1;
      if (!ownPath.test(expression) || /vendor/.test(expression)) {
        const { line } = lines.placeOf(index);
        gaps.push({ kind: 'unknown_dynamic', line, detail: `${keyword} of a computed path`, hides: 'any' });
      }
    } else if (!classLoaderPath.test(found)) add(`file:${found}`, index, 'require', []);
  }
  const entry = starts.test(path) ? 'started by its name' : null;
  return { references: [...references.values()], unknownDynamic, gaps: gaps.slice(0, maxGaps), isBroken, entry };
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
