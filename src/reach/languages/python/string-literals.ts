/** A string that is one word, with or without dots: an import by name or a setting may hold a module's name so. */
export interface WordString {
  readonly from: number;
  /** Behind the closing quote. */
  readonly to: number;
  readonly value: string;
}

/** A name, a module in the place of a relative import, or a module and what is taken of it (`app.main:app`). */
const word = /^(\.{0,8}[A-Za-z_][\w.-]*)(?::[A-Za-z_][\w.]*)?$/;

/** The driver that a URL or its scheme asks for: asyncpg in `postgresql+asyncpg://`, redis in `redis://`. */
const driver = /^(?:[a-z][a-z0-9]*\+([a-z]\w*)(?=$|:\/\/)|([a-z][a-z0-9]*)(?=:\/\/))/;

/** Characters; longer strings name no module. */
const maxWordLength = 200;

/** The string as a word, null where it is none. The quote is at `open`; `from` is where its prefix begins. */
export function wordString(text: string, from: number, open: number, to: number): WordString | null {
  if (to - open > maxWordLength) return null;
  const value = wordIn(text.slice(open + 1, to - 1));
  return value === null ? null : { from, to, value };
}

/** The name that a string holds, or that its beginning gives; null where it has none. */
export function wordIn(value: string): string | null {
  const [, withDriver, scheme] = driver.exec(value) ?? [];
  return withDriver ?? scheme ?? word.exec(value)?.[1] ?? null;
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
