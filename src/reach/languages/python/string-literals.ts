/** A string that is one word, with or without dots: an import by name or a setting may hold a module's name so. */
export interface WordString {
  readonly from: number;
  /** Behind the closing quote. */
  readonly to: number;
  readonly value: string;
}

const word = /^[A-Za-z_][\w.-]*$/;

/** Characters; longer strings name no module. */
const maxWordLength = 200;

/** The string as a word, null where it is none. The quote is at `open`; `from` is where its prefix begins. */
export function wordString(text: string, from: number, open: number, to: number): WordString | null {
  const value = text.slice(open + 1, to - 1);
  return to - open <= maxWordLength && word.test(value) ? { from, to, value } : null;
}

/** One quote, or three where the string has triple quotes. */
export function quoteAt(text: string, open: number): string {
  const char = text[open] ?? '';
  return text.startsWith(char.repeat(3), open) ? char.repeat(3) : char;
}

const plainPrefix = /^(?:[rbu]|br|rb)$/i;
const formattedPrefix = /^(?:[ft]|[ft]r|r[ft])$/i;

/** What the word before a quote makes of the string; `none` where that word is no prefix. */
export function prefixKind(prefix: string): 'formatted' | 'plain' | 'none' {
  return formattedPrefix.test(prefix) ? 'formatted' : plainPrefix.test(prefix) ? 'plain' : 'none';
}

/** In an f-string: the index of the last character of the escape sequence that begins at a backslash. */
export function endOfEscape(text: string, backslash: number, isRaw: boolean): number {
  const next = text[backslash + 1];
  if (!isRaw && next === 'N' && text[backslash + 2] === '{') return Math.max(backslash, text.indexOf('}', backslash));
  if (next === '{' || next === '}') return backslash;
  return next === '\r' && text[backslash + 2] === '\n' ? backslash + 2 : backslash + 1;
}
