import { either } from '../patterns.js';
import type { Range } from '../ranges.js';

/**
 * Django imports what these settings name when it starts (https://docs.djangoproject.com/en/stable/ref/settings/). Projects
 * split them: `THIRD_PARTY_APPS`, `DJANGO_MIDDLEWARE`.
 */
const setting = either(
  'gm',
  /^[A-Z_]{0,40}(?:APPS|MIDDLEWARE|MIDDLEWARE_CLASSES)[ \t]{0,20}(?::[^=\n]{0,80})?\+?=[ \t]{0,20}(?=[[(])/,
  /^[A-Z_]{0,40}(?:APPS|MIDDLEWARE|MIDDLEWARE_CLASSES)[ \t]{0,20}\.(?:append|insert|extend)(?=\()/,
);

/** Characters of one list; a longer one is cut. */
const maxLength = 50_000;

/** Lists of one file that are looked at. */
const maxLists = 50;
const maxInclusions = 200;

/** Settings that hold classes by name under these keys; their other strings are names of something else. */
const classSettings =
  /^[A-Z_]{0,40}(?:CACHES|DATABASES|STORAGES|CHANNEL_LAYERS|LOGGING)[ \t]{0,20}=[ \t]{0,20}(?=\{)/gm;
const classKey = /["'](?:BACKEND|ENGINE|CLIENT_CLASS|class|\(\))["']\s{0,20}:\s{0,20}/g;

/** Pyramid loads what it includes (https://docs.pylonsproject.org/projects/pyramid/en/latest/narr/extending.html). */
const inclusion = /^([ \t]+)config[ \t]*\.[ \t]*include[ \t]*\(/gm;

/** Settings of a developer's machine; what they add is not loaded in production. */
const notProduction = /(?:^|[/_.-])(?:dev|devel|development|local|debug|tests?|testing|ci)(?:[/_.-]|$)/i;

/**
 * Ranges whose strings name modules that Django or Pyramid always loads. What a condition adds is not among them.
 *
 * @param path the file's, since a project has settings for development too
 * @param code the text with its strings blank
 */
export function loadedSettings(path: string, text: string, code: string): Range[] {
  if (notProduction.test(path)) return [];
  const ranges: Range[] = [];
  for (const { 0: whole, index } of code.matchAll(setting)) {
    const from = index + whole.length;
    if (from < (ranges.at(-1)?.[1] ?? 0)) continue;
    ranges.push([from, endOfList(code, from)]);
    if (ranges.length >= maxLists) break;
  }
  for (const { 0: whole, index } of [...code.matchAll(classSettings)].slice(0, maxLists)) {
    const from = index + whole.length;
    for (const { 0: key, index: at } of text.slice(from, endOfList(code, from)).matchAll(classKey)) {
      const value = from + at + key.length;
      ranges.push([value, value + 1]);
    }
  }
  for (const { 0: whole, 1: indent = '', index } of [...code.matchAll(inclusion)].slice(0, maxInclusions)) {
    if (!isInFunctionAlone(code, index, indent.length)) continue;
    const from = index + whole.length;
    const value = from + (/^\s{0,100}/.exec(text.slice(from, from + 100))?.[0].length ?? 0);
    ranges.push([value, value + 1]);
  }
  return ranges;
}

/** Whether the block that a line is in is the body of a function, not of a condition. */
function isInFunctionAlone(code: string, lineStart: number, indent: number): boolean {
  const above = code.slice(Math.max(0, lineStart - maxLength), lineStart).split('\n');
  const outer = above.findLast((line) => line.trim() !== '' && line.length - line.trimStart().length < indent);
  return outer !== undefined && /^[ \t]*(?:async[ \t]+)?def\b/.test(outer);
}

/** The end of what the bracket at `from` opens. */
function endOfList(code: string, from: number): number {
  let depth = 0;
  const end = Math.min(code.length, from + maxLength);
  for (let at = from; at < end; at++) {
    const char = code[at] ?? '';
    if ('[({'.includes(char)) depth += 1;
    else if ('])}'.includes(char)) depth -= 1;
    if (depth === 0) return at;
  }
  return end;
}
