/** JSON of a text that also has comments and trailing commas; every character that stays keeps its place. */
export function withoutComments(text: string): string {
  return withoutTrailingCommas(blanked(text, commentsOf(text)));
}

type Range = readonly [from: number, to: number];

function commentsOf(text: string): Range[] {
  const comments: Range[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = endOfString(text, at);
    else if (text[at] === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      const end = endOfComment(text, at);
      comments.push([at, end]);
      at = end - 1;
    }
  }
  return comments;
}

function withoutTrailingCommas(text: string): string {
  const commas: Range[] = [];
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === ' ' || char === '\n' || char === '\t' || char === '\r') continue;
    if ((char === '}' || char === ']') && comma !== -1) commas.push([comma, comma + 1]);
    comma = char === ',' ? at : -1;
    if (char === '"') at = endOfString(text, at);
  }
  return blanked(text, commas);
}

function blanked(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(kept, from), text.slice(from, to).replaceAll(/[^\n]/g, ' '));
    kept = to;
  }
  parts.push(text.slice(kept));
  return parts.join('');
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
