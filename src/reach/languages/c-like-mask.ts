import { type Blank, blankUpTo, endOfLine, endOfQuoted, type MaskedText, maskText, matchAt } from './mask.js';

/** How a language of the C family writes comments and strings. */
export interface Syntax {
  /** Rust, Kotlin and Scala nest block comments. */
  readonly nestsComments: boolean;
  /** `"""…"""` of Java and Kotlin; in Kotlin a backslash escapes nothing in it. */
  readonly hasTextBlocks: boolean;
  /** Go's raw strings. */
  readonly hasBackquotes: boolean;
  /** Rust: `r#"…"#`, strings that span lines, and `'a`, which is a lifetime. */
  readonly isRust: boolean;
}

/** Characters of `'\u{10FFFF}'`, and some more. */
const maxCharacterLength = 14;

const rawString = /(?:b|c)?r(#*)"/y;
const wordBefore = /[\w\u0080-\uffff]/;

/** Blanks the comments, strings and characters of a source of the C family. */
export function maskCLike(text: string, syntax: Syntax): MaskedText {
  return maskText(text, (_, at) => blankAt(text, at, syntax));
}

function blankAt(text: string, at: number, syntax: Syntax): Blank | null {
  switch (text[at]) {
    case '/':
      return commentAt(text, at, syntax);
    case '"':
      return stringAt(text, at, syntax);
    case '`':
      return syntax.hasBackquotes ? closedBy('`', text, at + 1) : null;
    case "'":
      return characterAt(text, at);
    case 'r':
    case 'b':
    case 'c':
      return syntax.isRust ? rawStringAt(text, at) : null;
    default:
      return null;
  }
}

function closedBy(close: string, text: string, from: number): Blank {
  const end = text.indexOf(close, from);
  return blankUpTo(end === -1 ? null : end + close.length, text.length);
}

function commentAt(text: string, at: number, { nestsComments }: Syntax): Blank | null {
  if (text[at + 1] === '/') return blankUpTo(endOfLine(text, at), text.length);
  if (text[at + 1] !== '*') return null;
  return nestsComments ? blankUpTo(endOfNestedComment(text, at), text.length) : closedBy('*/', text, at + 2);
}

function stringAt(text: string, at: number, { hasTextBlocks, isRust }: Syntax): Blank {
  if (hasTextBlocks && text.startsWith('"""', at)) return blankUpTo(endOfQuoted(text, at, '"""', true), text.length);
  const end = endOfQuoted(text, at, '"', isRust);
  return blankUpTo(end, end ?? endOfLine(text, at));
}

function rawStringAt(text: string, at: number): Blank | null {
  if (wordBefore.test(text[at - 1] ?? '')) return null;
  const found = matchAt(rawString, text, at);
  return found === null ? null : closedBy(`"${found[1] ?? ''}`, text, at + found[0].length);
}

function endOfNestedComment(text: string, start: number): number | null {
  let depth = 1;
  for (let at = start + 2; at < text.length; at++) {
    if (text[at] === '*' && text[at + 1] === '/') {
      depth -= 1;
      at += 1;
      if (depth === 0) return at + 1;
    } else if (text[at] === '/' && text[at + 1] === '*') {
      depth += 1;
      at += 1;
    }
  }
  return null;
}

/** A character literal; null for a quote that begins none, such as a lifetime's. */
function characterAt(text: string, open: number): Blank | null {
  if (text[open + 1] === '\\') {
    const end = endOfQuoted(text.slice(open, open + maxCharacterLength), 0, "'", false);
    return end === null ? null : { end: open + end, isBroken: false };
  }
  const code = text.codePointAt(open + 1) ?? 0;
  const width = code > 0xffff ? 2 : 1;
  const isCharacter = code !== 39 && code !== 10 && text[open + 1 + width] === "'";
  return isCharacter ? { end: open + width + 2, isBroken: false } : null;
}
