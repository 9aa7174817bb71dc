/**
 * An estimate of the tokens (o200k) that a model reads in a text, from above: JSON of advisories, packages and reports has 0 to 20 percent
 * fewer, signs at random have up to 10 percent more. A tokenizer would know exactly, and needs 2 MB of ranks and more
 * time than most answers take.
 *
 * The weights are fitted (least squares of relative errors) to answers, scanners' reports, SBOMs and random texts.
 */
export function maxTokens(text: string): number {
  let tokens = 0;
  let others = 0;
  let kind = 0;
  let run = 0;
  let before = 0;
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
      tokens += costOf(kind, run, next);
      kind = next;
      run = 1;
    }
    // A word of usual pairs of letters is mostly one token; where an unusual pair stands, another one begins.
    if (next === small && run > 1 && usual[(before & 31) * 32 + (code & 31)] === 0) tokens += 0.72;
    else if (next === other) others += costOfOther(code);
    before = code;
  }
  return Math.ceil((tokens + costOf(kind, run, 0)) * 0.94 + others);
}

const space = 1;
const digit = 2;
const small = 3;
const capital = 4;
const mark = 5;
const other = 6;

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[a-z]/.test(sign)) return small;
  if (/[A-Z]/.test(sign)) return capital;
  if (/\d/.test(sign)) return digit;
  return /\s/.test(sign) ? space : mark;
});

/** The 150 most frequent pairs of letters in advisories and English: a letter, and those that follow it. */
const pairs =
  'abcdgilmnprsty baely caehkort dadeios eacdelmnprstvxy feio gae haeiot icdefglnost kae laeilos maep nacdegiopst odflmnoprstuw paelmorsu radegilnostuvy saehiostuy taehioprsty uelnrst vei wehi yps';

/** By the last five bits of two letters, of either case; 1: usual. */
const usual = new Uint8Array(1024);
for (const [first = '', ...others] of pairs.split(' ')) {
  for (const second of others) usual[(first.charCodeAt(0) & 31) * 32 + (second.charCodeAt(0) & 31)] = 1;
}

/** Tokens of signs of one kind beside each other, by the kind of what follows. */
function costOf(kind: number, run: number, next: number): number {
  // Three digits are one token.
  if (kind === digit) return Math.ceil(run / 3) * 1.2;
  if (kind === small) return 0.76 + Math.max(0, run - 10) * 0.25;
  if (kind === capital) return 0.95 + run * 0.63;
  // A mark, or one space, is mostly a part of the word after it.
  if (kind === mark) return next === small || next === capital ? run * 0.71 - 0.63 : run * 0.6 + 0.4;
  return kind === space && run > 1 ? 1 + run / 20 : 0;
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
