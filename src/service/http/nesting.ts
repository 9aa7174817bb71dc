const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = Buffer.from('"\\{[}]');

/**
 * Whether objects and lists of a JSON text stand in one another deeper than `most`. Found before the text is parsed: what
 * later walks the value by recursion would overflow the stack. What is no JSON gets any answer; its parser refuses it.
 */
export function isNestedDeeper(json: Uint8Array, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > most) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return false;
}

/** Where the string that begins at `start` ends: no byte of a character in UTF-8 but the quote itself is a quote. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
