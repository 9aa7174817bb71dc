import { endOfLine, endOfQuoted, Mask } from '../mask.js';
import { endOfEscape, prefixKind, quoteAt, type WordString, wordIn, wordString } from './string-literals.js';

export interface MaskedPython {
  /** Code alone, one logical line a line: strings, comments, and line ends within brackets are blank. */
  readonly code: string;
  readonly words: readonly WordString[];
  /** A string or a bracket is not closed. */
  readonly isBroken: boolean;
}

/** What is open: the literal text of an f-string, or a field in it, which holds code. */
interface Formatted {
  readonly quote: string;
  readonly isRaw: boolean;
  /** Depth of brackets within the field; the field ends where they are closed. */
  readonly depth: number;
}

/** The `depth` of an f-string's literal text, which is no field. */
const noField = -1;

const identifierPart = /[\w\u0080-\uffff]+/y;

const urlScheme = /^[a-z][a-z0-9]*(?:\+[a-z]\w*)?:\/\//;
const maxSchemeLength = 60;

/** Fields within fields and strings; Python itself allows at most 150 nested strings. */
const maxNesting = 300;

/**
 * Blanks everything in a Python source that is not code (https://docs.python.org/3/reference/lexical_analysis.html). The
 * fields of f-strings are code. They may hold quotes and line ends, as Python 3.12 allows.
 */
export function maskPython(text: string): MaskedPython {
  return new PythonMasker(text).run();
}

class PythonMasker {
  readonly #text: string;
  readonly #mask: Mask;
  readonly #words: WordString[] = [];
  readonly #formatted: Formatted[] = [];
  #isBroken = false;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#mask = new Mask(text);
  }

  run(): MaskedPython {
    for (let at = 0; at < this.#text.length; ) at = this.#step(at);
    const isBroken = this.#isBroken || this.#depth > 0 || this.#formatted.length > 0;
    return { code: this.#mask.finish(), words: this.#words, isBroken };
  }

  /** Reads what begins at an offset; like all methods below, it answers the offset behind. */
  #step(at: number): number {
    switch (this.#text[at]) {
      case '"':
      case "'":
        return this.#readString(at, at);
      case '#':
        return this.#blank(at, endOfLine(this.#text, at));
      case '\\':
        return this.#joinLines(at);
      case '\n':
      case '\r':
        return this.#endLine(at);
      case '(':
      case '[':
      case '{':
        this.#depth += 1;
        return at + 1;
      case ')':
      case ']':
        return this.#closeBracket(at);
      case '}':
        return this.#isAtFieldLevel() ? this.#closeField(at, at) : this.#closeBracket(at);
      case ':':
      case '!':
        return this.#endExpression(at);
      default:
        return this.#readIdentifier(at);
    }
  }

  #blank(from: number, to: number): number {
    this.#mask.blank(from, to);
    return to;
  }

  /** A backslash joins its line to the next. */
  #joinLines(at: number): number {
    const length = this.#text.startsWith('\\\r\n', at) ? 3 : /[\r\n]/.test(this.#text[at + 1] ?? '') ? 2 : 1;
    return this.#blank(at, at + length);
  }

  #endLine(at: number): number {
    if (this.#depth > 0) this.#mask.put(at, ' ');
    else if (this.#text[at] === '\r' && this.#text[at + 1] !== '\n') this.#mask.put(at, '\n');
    return at + 1;
  }

  #closeBracket(at: number): number {
    const field = this.#formatted.at(-1);
    if (this.#depth === 0) this.#isBroken = true;
    else if (field === undefined || this.#depth > field.depth) this.#depth -= 1;
    return at + 1;
  }

  /** In a field of an f-string, outside of brackets of its own. */
  #isAtFieldLevel(): boolean {
    return this.#formatted.at(-1)?.depth === this.#depth;
  }

  /** `:` and `!` end a field's expression; what follows is its format, which is literal text. `!=` is an operator. */
  #endExpression(at: number): number {
    const isOperator = this.#text.startsWith('!=', at);
    return this.#isAtFieldLevel() && !isOperator ? this.#readLiteral(at, at + 1, true) : at + 1;
  }

  /** Passes over an identifier, a number or a sign. A quote behind it begins a string, of which it may be the prefix. */
  #readIdentifier(at: number): number {
    identifierPart.lastIndex = at;
    const end = identifierPart.test(this.#text) ? identifierPart.lastIndex : at + 1;
    if (this.#text[end] !== '"' && this.#text[end] !== "'") return end;
    const prefix = this.#text.slice(at, end);
    const kind = prefixKind(prefix);
    if (kind !== 'formatted') return this.#readString(kind === 'plain' ? at : end, end);
    const quote = quoteAt(this.#text, end);
    this.#formatted.push({ quote, isRaw: /r/i.test(prefix), depth: noField });
    // The beginning of a URL names its driver, whatever its fields hold.
    const begin = end + quote.length;
    const scheme = urlScheme.exec(this.#text.slice(begin, begin + maxSchemeLength))?.[0];
    const value = scheme === undefined ? null : wordIn(scheme);
    if (value !== null) this.#words.push({ from: at, to: begin, value });
    return this.#readLiteral(at, end + quote.length, false);
  }

  /** @param open of the opening quote; `from` is that of the prefix */
  #readString(from: number, open: number): number {
    const quote = quoteAt(this.#text, open);
    const isTriple = quote.length === 3;
    const end = endOfQuoted(this.#text, open, quote, isTriple);
    if (end === null) {
      this.#isBroken = true;
      return this.#blank(from, isTriple ? this.#text.length : endOfLine(this.#text, open));
    }
    const found = isTriple ? null : wordString(this.#text, from, open, end);
    if (found !== null) this.#words.push(found);
    return this.#blank(from, end);
  }

  /** Reads literal text of the innermost f-string, up to its end or to a field. It is blanked from `from` on. */
  #readLiteral(from: number, start: number, isFormat: boolean): number {
    const text = this.#text;
    const { quote, isRaw } = this.#formatted.at(-1) ?? { quote: '"', isRaw: false };
    for (let at = start; at < text.length; at++) {
      const char = text[at];
      if (char === '\\') at = endOfEscape(text, at, isRaw);
      else if (text.startsWith(quote, at)) return this.#closeFormatted(from, at + quote.length, isFormat);
      else if (char === '\n' && quote.length === 1) break;
      else if (char === '}' && isFormat) return this.#closeField(from, at);
      else if (char === '{') {
        const isEscaped = text[at + 1] === '{' && !isFormat;
        if (isEscaped) at += 1;
        else if (this.#formatted.length >= maxNesting) break;
        else return this.#openField(from, at, quote, isRaw);
      }
    }
    // The f-string has no end, or is nested too deeply: reading goes on behind it as if nothing were open.
    this.#isBroken = true;
    this.#formatted.length = 0;
    this.#depth = 0;
    return this.#blank(from, quote.length === 1 ? endOfLine(text, start) : text.length);
  }

  #closeFormatted(from: number, end: number, isFormat: boolean): number {
    this.#formatted.pop();
    if (isFormat) {
      // A format ends with its field; here the string ends before the field does.
      this.#isBroken = true;
      this.#formatted.pop();
      this.#depth -= 1;
    }
    return this.#blank(from, end);
  }

  #openField(from: number, brace: number, quote: string, isRaw: boolean): number {
    this.#depth += 1;
    this.#formatted.push({ quote, isRaw, depth: this.#depth });
    return this.#blank(from, brace + 1);
  }

  /** Ends a field. What follows is the literal text around it, which may be the format of an outer field. */
  #closeField(from: number, brace: number): number {
    this.#formatted.pop();
    this.#depth -= 1;
    const outer = this.#formatted.at(-1);
    return this.#readLiteral(from, brace + 1, outer !== undefined && outer.depth !== noField);
  }
}
