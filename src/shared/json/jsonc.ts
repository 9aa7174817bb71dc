type Range = readonly [from: number, to: number];

/** The value of JSON with comments and trailing commas; undefined for any other text. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(jsoncToJson(text));
    } catch {
      return undefined;
    }
  }
}

/**
 * The text with spaces in place of comments and trailing commas, so that every other character keeps its line and column.
 * Written as a loop: a regular expression overflows the stack on a string of many megabytes.
 */
export function jsoncToJson(text: string): string {
  const removed: Range[] = [];
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === ' ' || char === '\n' || char === '\t' || char === '\r') continue;
    if (char === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      const end = endOfComment(text, at);
      removed.push([at, end]);
      at = end - 1;
      continue;
    }
    if ((char === '}' || char === ']') && comma !== -1) removed.push([comma, comma + 1]);
    comma = char === ',' ? at : -1;
    if (char === '"') at = endOfString(text, at);
  }
  // A trailing comma is found after the comments that follow it.
  return withSpacesAt(
    text,
    removed.sort(([a], [b]) => a - b),
  );
}

function withSpacesAt(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(kept, from), text.slice(from, to).replaceAll(/[^\n]/g, ' '));
    kept = to;
  }
  return parts.join('') + text.slice(kept);
}

/** The index of the closing quote, or of the line's end. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text[at] !== '"' && text[at] !== '\n'; at++) if (text[at] === '\\') at++;
  return at;
}

function endOfComment(text: string, start: number): number {
  const isLine = text[start + 1] === '/';
  const end = text.indexOf(isLine ? '\n' : '*/', start + 2);
  if (end === -1) return text.length;
  return isLine ? end : end + 2;
}
