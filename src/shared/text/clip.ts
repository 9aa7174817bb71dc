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
