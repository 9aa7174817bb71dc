import { jsonBytes } from './cut.js';

const graphemes = new Intl.Segmenter('en');

/** Characters around a cut in which the grapheme that it may split is looked for. */
const around = 64;

/**
 * The beginning of a text in at most `bytes` (3 or more) of JSON, with `…` at its end. As `cut`, in a time that does not grow with the
 * graphemes: for texts of which much is kept.
 */
export function cutLong(text: string, bytes: number): string {
  let kept = 0;
  let tooMany = Math.min(text.length, bytes) + 1;
  while (tooMany - kept > 1) {
    const middle = (kept + tooMany) >> 1;
    // Without its quotes, and with the three bytes of `…`.
    if (jsonBytes(text.slice(0, middle)) + 1 <= bytes) kept = middle;
    else tooMany = middle;
  }
  const from = Math.max(kept - around, 0);
  const split = graphemes.segment(text.slice(from, kept + around)).containing(kept - from);
  return `${text.slice(0, from + (split?.index ?? kept - from)).trimEnd()}…`;
}
