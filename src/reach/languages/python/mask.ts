import { endOfLine, endOfQuoted, Mask } from '../mask.js';

/** A string that is one word or words with dots: what an import by name, or a setting, may hold. */
export interface WordString {
  readonly from: number;
  /** Behind the closing quote. */
  readonly to: number;
  readonly value: string;
}

export interface MaskedPython {
  /** Code alone, one logical line a line: strings, comments, and line ends within brackets are blank. */
  readonly code: string;
  readonly words: readonly WordString[];
  /** A string or a bracket is not closed. */
  readonly isBroken: boolean;
}

/** An f-string that is being read: its fields hold code. */
interface Formatted {
  readonly quote: string;
  readonly isRaw: boolean;
  /** Depth of brackets within its field; the field ends where they are closed. */
  readonly depth: number;
}

const identifierPart = /[\w\u0080-\uffff]+/y;
const stringPrefix = /^(?:[rbu]|br|rb)$/i;
const formattedPrefix = /^(?:[ft]|[ft]r|r[ft])$/i;
const word = /^[A-Za-z_][\w.-]*$/;

/** Characters; longer strings name no module. */
const longestWord = 200;

/** Fields within fields and strings; Python itself refuses more than 150 strings. */
const deepest = 300;

/**
 * Blanks all that is no code in a Python source (https://docs.python.org/3/reference/lexical_analysis.html). The fields of
 * f-strings are code, also with the quotes and line ends in them that Python 3.12 allows.
 */
export function maskPython(text: string): MaskedPython {
  const mask = new Mask(text);
  const words: WordString[] = [];
  const formatted: Formatted[] = [];
  let isBroken = false;
  let depth = 0;
  let at = 0;

  /** Reads the literal part of the innermost f-string, up to its end or to a field. */
  const readLiteral = (from: number, start: number, isSpec: boolean) => {
    const { quote, isRaw } = formatted.at(-1) ?? { quote: '"', isRaw: false };
    for (let i = start; i < text.length; i++) {
      const char = text[i];
      if (char === '\\') {
        const next = text[i + 1];
        if (!isRaw && next === 'N' && text[i + 2] === '{') i = Math.max(i, text.indexOf('}', i));
        else if (next !== '{' && next !== '}') i += next === '\r' && text[i + 2] === '\n' ? 2 : 1;
      } else if (text.startsWith(quote, i)) {
        mask.blank(from, i + quote.length);
        formatted.pop();
        at = i + quote.length;
        // A format specification ends with its field; here the field is not closed.
        if (isSpec) {
          isBroken = true;
          formatted.pop();
          depth -= 1;
        }
        return;
      } else if (char === '\n' && quote.length === 1) {
        break;
      } else if (char === '{') {
        if (text[i + 1] === '{' && !isSpec) i++;
        else {
          if (formatted.length >= deepest) break;
          mask.blank(from, i + 1);
          depth += 1;
          formatted.push({ quote, isRaw, depth });
          at = i + 1;
          return;
        }
      } else if (char === '}' && isSpec) {
        endField(from, i);
        return;
      }
    }
    isBroken = true;
    formatted.length = 0;
    depth = 0;
    const end = quote.length === 1 ? endOfLine(text, start) : text.length;
    mask.blank(from, end);
    at = end;
  };
  /** The field is done; what follows is the literal around it, which may be another field's specification. */
  const endField = (from: number, close: number) => {
    formatted.pop();
    depth -= 1;
    const outer = formatted.at(-1);
    const isInSpec = outer !== undefined && outer.depth !== noField;
    readLiteral(from, close + 1, isInSpec);
  };

  while (at < text.length) {
    const char = text[at] ?? '';
    const field = formatted.at(-1);
    identifierPart.lastIndex = at;
    if (identifierPart.test(text)) {
      const end = identifierPart.lastIndex;
      const quote = text[end];
      const prefix = text.slice(at, end);
      if (quote !== '"' && quote !== "'") at = end;
      else if (formattedPrefix.test(prefix)) openFormatted(at, end, /r/i.test(prefix));
      else if (stringPrefix.test(prefix)) readString(at, end);
      else readString(end, end);
    } else if (char === '"' || char === "'") readString(at, at);
    else if (char === '#') {
      const end = endOfLine(text, at);
      mask.blank(at, end);
      at = end;
    } else if (char === '\\') {
      const length = text.startsWith('\\\r\n', at) ? 3 : /[\r\n]/.test(text[at + 1] ?? '') ? 2 : 1;
      mask.blank(at, at + length);
      at += length;
    } else if (char === '\n' || char === '\r') {
      if (depth > 0) mask.put(at, ' ');
      else if (char === '\r' && text[at + 1] !== '\n') mask.put(at, '\n');
      at += 1;
    } else if (field !== undefined && field.depth === depth && char === '}') endField(at, at);
    else if (field !== undefined && field.depth === depth && (char === ':' || (char === '!' && text[at + 1] !== '='))) {
      readLiteral(at, at + 1, true);
    } else {
      if (char === '(' || char === '[' || char === '{') depth += 1;
      else if (char === ')' || char === ']' || char === '}') {
        if (depth === 0) isBroken = true;
        else if (field === undefined || depth > field.depth) depth -= 1;
      }
      at += 1;
    }
  }
  return { code: mask.finish(), words, isBroken: isBroken || depth > 0 || formatted.length > 0 };

  function readString(from: number, open: number) {
    const char = text[open] ?? '';
    const isTriple = text.startsWith(char.repeat(3), open);
    const end = endOfQuoted(text, open, isTriple ? char.repeat(3) : char, isTriple);
    if (end === null) isBroken = true;
    at = end ?? (isTriple ? text.length : endOfLine(text, open));
    mask.blank(from, at);
    if (end === null || isTriple || end - open > longestWord) return;
    const value = text.slice(open + 1, end - 1);
    if (word.test(value)) words.push({ from, to: end, value });
  }

  function openFormatted(from: number, open: number, isRaw: boolean) {
    const char = text[open] ?? '';
    const quote = text.startsWith(char.repeat(3), open) ? char.repeat(3) : char;
    formatted.push({ quote, isRaw, depth: noField });
    readLiteral(from, open + quote.length, false);
  }
}

/** Depth of an f-string that is read outside of its fields. */
const noField = -1;
