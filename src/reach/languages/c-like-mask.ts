import { endAfter, endOfLine, endOfQuoted, Mask } from './mask.js';

/** How a language of the C family writes what is no code. */
export interface Syntax {
  /** Rust, Kotlin and Scala nest block comments. */
  readonly nestsComments: boolean;
  /** `"""…"""` of Java and Kotlin; with no escapes in Kotlin. */
  readonly hasTextBlocks: boolean;
  /** Go's raw strings. */
  readonly hasBackquotes: boolean;
  /** Rust: `r#"…"#`, strings over lines, and `'a` that is a lifetime. */
  readonly isRust: boolean;
}

export interface MaskedText {
  /** Code alone: strings and comments are blank, line ends stay. */
  readonly code: string;
  readonly isBroken: boolean;
}

/** Characters of `'\u{10FFFF}'`, and some more. */
const longestCharacter = 14;

const rawString = /(?:b|c)?r(#*)"/y;
const wordBefore = /[\w\u0080-\uffff]/;

/** Blanks comments, strings and characters of a source of the C family. */
export function maskCLike(text: string, syntax: Syntax): MaskedText {
  const mask = new Mask(text);
  let isBroken = false;
  let at = 0;
  const blankTo = (end: number | null, orElse: number) => {
    if (end === null) isBroken = true;
    mask.blankLines(at, end ?? orElse);
    at = end ?? orElse;
  };
  while (at < text.length) {
    const char = text[at];
    if (char === '/' && text[at + 1] === '/') blankTo(endOfLine(text, at), text.length);
    else if (char === '/' && text[at + 1] === '*') blankTo(endOfComment(text, at, syntax.nestsComments), text.length);
    else if (char === '"') {
      if (syntax.hasTextBlocks && text.startsWith('"""', at)) blankTo(endOfQuoted(text, at, '"""', true), text.length);
      else {
        const end = endOfQuoted(text, at, '"', syntax.isRust);
        blankTo(end, end ?? endOfLine(text, at));
      }
    } else if (char === '`' && syntax.hasBackquotes) {
      const end = text.indexOf('`', at + 1);
      blankTo(end === -1 ? null : end + 1, text.length);
    } else if (char === "'") {
      const end = endOfCharacter(text, at);
      if (end === null) at += 1;
      else blankTo(end, end);
    } else if (
      syntax.isRust &&
      (char === 'r' || char === 'b' || char === 'c') &&
      !wordBefore.test(text[at - 1] ?? '')
    ) {
      rawString.lastIndex = at;
      const raw = rawString.exec(text);
      if (raw === null) at += 1;
      else {
        const close = `"${raw[1] ?? ''}`;
        const end = text.indexOf(close, at + raw[0].length);
        blankTo(end === -1 ? null : end + close.length, text.length);
      }
    } else at += 1;
  }
  return { code: mask.finish(), isBroken };
}

function endOfComment(text: string, start: number, nests: boolean): number | null {
  if (!nests) {
    const end = endAfter(text, '*/', start + 2);
    return text.startsWith('*/', end - 2) && end >= start + 4 ? end : null;
  }
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

/** The end of a character literal; null for a quote that begins none, such as a lifetime's. */
function endOfCharacter(text: string, open: number): number | null {
  if (text[open + 1] === '\\') {
    const end = endOfQuoted(text.slice(open, open + longestCharacter), 0, "'", false);
    return end === null ? null : open + end;
  }
  const code = text.codePointAt(open + 1) ?? 0;
  const width = code > 0xffff ? 2 : 1;
  return code !== 39 && code !== 10 && text[open + 1 + width] === "'" ? open + width + 2 : null;
}
