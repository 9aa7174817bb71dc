import { type ImportBindings, importsWithout } from '../syntax-tree/tree-references.js';
import type { Reference } from './reference.js';

/**
 * The imports that TypeScript may erase, because none of their names is clearly called. Whether it does erase them, only
 * the syntax tree shows.
 */
export function possiblyErased(text: string, imports: ImportBindings): readonly Reference[] {
  return [...importsWithout(imports, (name) => isClearlyCalled(text, name))];
}

const identifierCharacter = /[\w$\u0080-\uffff]/;

/** `name(` or `name.member(`, where the name is not a member, the end of a longer name, or part of a comment. */
function isClearlyCalled(text: string, name: string): boolean {
  const call = /(?:\.[\w$]+)?\(/y;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at)) {
    const before = text[at - 1] ?? ' ';
    const start = at;
    at += name.length;
    call.lastIndex = at;
    if (before === '.' || identifierCharacter.test(before) || !call.test(text)) continue;
    const comment = possibleCommentEnd(text, start);
    if (comment === null) return true;
    at = comment;
  }
  return false;
}

/**
 * The end of the comment that may contain a place. The text before it on the same line decides: `//`, `/*`, or a leading
 * star, as in the lines of a block comment. Null if none of them occurs.
 */
function possibleCommentEnd(text: string, place: number): number | null {
  const before = text.slice(text.lastIndexOf('\n', place) + 1, place);
  const end = /^\s*\*|\/\*/.test(before) ? '*/' : before.includes('//') ? '\n' : null;
  if (end === null) return null;
  const found = text.indexOf(end, place);
  return found === -1 ? text.length : found;
}
