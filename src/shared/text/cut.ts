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

/** The first `max` characters of a text, without half a surrogate pair at the end. */
export function head(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

/** A text of at most `max` characters; an ellipsis replaces what is cut off. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${head(text, max - 1)}…`;
}

/** A text on one line, of at most `max` characters. Only its beginning is read: many findings may share one long text. */
export function onOneLine(text: string, max: number): string {
  return clip(
    clip(text, 4 * max)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    max,
  );
}

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
