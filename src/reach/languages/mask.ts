/**
 * Builds a copy of a text in which everything but code is blank: comments and strings. Every offset in the copy is the same
 * place in the text. Calls must be in the order of the text.
 */
export class Mask {
  readonly #text: string;
  readonly #parts: string[] = [];
  #kept = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Blanks a range, with its line ends. */
  blank(from: number, to: number): void {
    if (to <= from) return;
    this.#parts.push(this.#text.slice(this.#kept, from), ' '.repeat(to - from));
    this.#kept = to;
  }

  /** Blanks a range, but keeps its line ends. */
  blankLines(from: number, to: number): void {
    if (to <= from) return;
    this.#parts.push(this.#text.slice(this.#kept, from), this.#text.slice(from, to).replaceAll(/[^\r\n]/g, ' '));
    this.#kept = to;
  }

  /** Replaces one character. */
  put(at: number, character: string): void {
    this.#parts.push(this.#text.slice(this.#kept, at), character);
    this.#kept = at + 1;
  }

  finish(): string {
    return this.#parts.join('') + this.#text.slice(this.#kept);
  }
}

/** A comment, a string or something else that is no code, from where it was found up to `end`. */
export interface Blank {
  readonly end: number;
  /** It has no end of its own. */
  readonly isBroken: boolean;
}

export interface MaskedText {
  /** Code alone: strings and comments are blank, line ends stay. */
  readonly code: string;
  readonly isBroken: boolean;
}

/** Blanks what is no code. `blankAt` finds it where it begins; null for a character of code. */
export function maskText(text: string, blankAt: (text: string, at: number) => Blank | null): MaskedText {
  const mask = new Mask(text);
  let isBroken = false;
  for (let at = 0; at < text.length; ) {
    const blank = blankAt(text, at);
    if (blank === null) at += 1;
    else {
      isBroken ||= blank.isBroken;
      mask.blankLines(at, blank.end);
      at = blank.end;
    }
  }
  return { code: mask.finish(), isBroken };
}

/** What ends at an index, or where that is null, without an end of its own at another one. */
export function blankUpTo(end: number | null, whereOpen: number): Blank {
  return { end: end ?? whereOpen, isBroken: end === null };
}

/** The match of a sticky or global expression from an index on. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The index of the next line end, or the text's. */
export function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}

/** The index behind the next occurrence, or the text's end. */
export function endAfter(text: string, found: string, from: number): number {
  const at = text.indexOf(found, from);
  return at === -1 ? text.length : at + found.length;
}

/**
 * The index behind a string's closing quote; a backslash escapes. Null where the string is not closed, or where a line ends
 * first and it may not span lines.
 */
export function endOfQuoted(text: string, open: number, quote: string, maySpanLines: boolean): number | null {
  for (let at = open + quote.length; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at += text.charCodeAt(at + 1) === 13 && text.charCodeAt(at + 2) === 10 ? 2 : 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (code === 10 && !maySpanLines) return null;
  }
  return null;
}

/** Blanks around a string that are passed over to find what stands there. */
const maxBlanks = 200;

/**
 * Whether a quoted text, which is blank in the code, is a string and not part of a comment: code stands before it, or
 * behind it on its line.
 */
export function isStringAt(text: string, code: string, [from, to]: readonly [from: number, to: number]): boolean {
  for (let at = from - 1; at >= 0 && at > from - maxBlanks; at--) {
    if (!/\s/.test(text[at] ?? '')) {
      if (code[at] === text[at]) return true;
      break;
    }
  }
  for (let at = to; at < text.length && at < to + maxBlanks; at++) {
    const char = text[at] ?? '';
    if (char === '\n') return false;
    if (!/\s/.test(char)) return code[at] === char;
  }
  return false;
}
