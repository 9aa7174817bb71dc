const encoder = new TextEncoder();
const graphemes = new Intl.Segmenter('en');

/** Bytes of a value as JSON, in UTF-8. */
export function jsonBytes(value: string | object): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** Bytes between the quotes: an escape counts as what it takes on the wire. */
function textBytes(text: string): number {
  return jsonBytes(text) - 2;
}

const ellipsis = '…';

/**
 * The text in at most `bytes` (3 or more) of JSON, ended by `…` where something is left out. It is cut between characters
 * as a reader sees them: no half of a surrogate pair, no letter without its accent, no half of an emoji.
 */
export function cut(text: string, bytes: number): string {
  if (text.length <= bytes && textBytes(text) <= bytes) return text;
  let left = bytes - textBytes(ellipsis);
  let kept = '';
  // A code unit is a byte or more: what comes after as many of them does not fit.
  for (const { segment } of graphemes.segment(text.slice(0, bytes))) {
    left -= textBytes(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${ellipsis}`;
}
