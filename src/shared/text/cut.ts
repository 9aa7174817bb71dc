const encoder = new TextEncoder();
const graphemes = new Intl.Segmenter('en');

/** Bytes of a value as JSON, in UTF-8. */
export function jsonBytes(value: string | object): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** Bytes between the quotes. An escape counts with all its characters. */
function textBytes(text: string): number {
  return jsonBytes(text) - 2;
}

const ellipsis = '…';

/**
 * The text in at most `bytes` (3 or more) of JSON, with `…` at the end where something is left out. The cut is between
 * graphemes: it splits no surrogate pair, no letter from its accent and no emoji.
 */
export function cut(text: string, bytes: number): string {
  if (text.length <= bytes && textBytes(text) <= bytes) return text;
  let left = bytes - textBytes(ellipsis);
  let kept = '';
  // A code unit is at least a byte, so no more than `bytes` of them can fit.
  for (const { segment } of graphemes.segment(text.slice(0, bytes))) {
    left -= textBytes(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${ellipsis}`;
}
