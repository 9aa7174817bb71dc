/**
 * An estimate from above of the tokens (o200k) that a model reads in a text. English prose has half of it, JSON some two
 * thirds. A tokenizer would know exactly, and needs 2 MB of ranks and more time than most answers take.
 */
export function maxTokens(text: string): number {
  let tokens = 0;
  let kind = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const next = code < 128 ? (kinds[code] ?? mark) : other;
    if (next === kind) {
      run++;
    } else if (next === small && kind === capital && run === 1) {
      // A capital and what follows are one word.
      kind = small;
      run = 2;
    } else {
      tokens += costOf(kind, run);
      // A space is a part of a word after it, and not of a number.
      if (kind === space && next === digit) tokens += 0.7;
      kind = next;
      run = 1;
    }
    if (next === other) tokens += costOfOther(code);
    else if (next === mark) tokens += code === quote ? 0.35 : 0.75;
  }
  return Math.ceil(tokens + costOf(kind, run));
}

const space = 1;
const digit = 2;
const small = 3;
const capital = 4;
const mark = 5;
const other = 6;

const quote = 0x22;

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[a-z]/.test(sign)) return small;
  if (/[A-Z]/.test(sign)) return capital;
  if (/\d/.test(sign)) return digit;
  return /\s/.test(sign) ? space : mark;
});

/** Tokens of signs of one kind beside each other; marks count one by one. */
function costOf(kind: number, run: number): number {
  // Three digits are one token.
  if (kind === digit) return Math.ceil(run / 3);
  // Letters at random have 1.9 a token, words some 5.
  if (kind === small) return Math.max(1, run * 0.58);
  if (kind === capital) return Math.max(1, run * 0.64);
  if (kind === space) return run === 1 ? 0.3 : 1;
  return kind === mark ? 0.25 : 0;
}

/** Tokens of a UTF-16 code unit outside of ASCII: what letters of its script need at random, or else its bytes. */
function costOfOther(code: number): number {
  if (code < 0x2b0 || (code >= 0x370 && code < 0x700)) return 1.7;
  if (code < 0x800) return 2;
  // Kana; the common ideographs; syllables of Korean.
  if (code >= 0x3040 && code < 0x3100) return 1.4;
  if (code >= 0x4e00 && code < 0xa000) return 2;
  if (code >= 0xac00 && code < 0xd7b0) return 2.3;
  // Half of a surrogate pair, which has four bytes.
  return code >= 0xd800 && code < 0xe000 ? 2 : 3;
}
