import type { Range } from '../ranges.js';

/**
 * Django imports what these settings name when it starts (https://docs.djangoproject.com/en/stable/ref/settings/). Projects
 * split them: `THIRD_PARTY_APPS`, `DJANGO_MIDDLEWARE`.
 */
const setting =
  /^[A-Z_]{0,40}(?:APPS|MIDDLEWARE|MIDDLEWARE_CLASSES)[ \t]{0,20}(?:(?::[^=\n]{0,80})?\+?=[ \t]{0,20}(?=[[(])|\.(?:append|insert|extend)(?=\())/gm;

/** Characters of one list; a longer one is cut. */
const maxLength = 50_000;

/** Lists of one file that are looked at. */
const maxLists = 50;

/** Settings of a developer's machine; what they add is not loaded in production. */
const notProduction = /(?:^|[/_.-])(?:dev|devel|development|local|debug|tests?|testing|ci)(?:[/_.-]|$)/i;

/**
 * Ranges of masked code whose strings name modules that Django always loads. What a condition adds is not among them.
 *
 * @param path the file's, since a project has settings for development too
 */
export function loadedSettings(path: string, code: string): Range[] {
  if (notProduction.test(path)) return [];
  const ranges: Range[] = [];
  for (const { 0: whole, index } of code.matchAll(setting)) {
    const from = index + whole.length;
    if (from < (ranges.at(-1)?.[1] ?? 0)) continue;
    ranges.push([from, endOfList(code, from)]);
    if (ranges.length >= maxLists) break;
  }
  return ranges;
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
