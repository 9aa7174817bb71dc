const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = Buffer.from('"\\{[}]');

/**
 * Whether a JSON text nests objects and lists deeper than `maxDepth`. Checked before the text is parsed, because code
 * that walks a deep value by recursion overflows the stack. For invalid JSON the result has no meaning: the parser
 * rejects it.
 */
export function exceedsDepth(json: Uint8Array, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return false;
}

/** Where the string that begins at `start` ends. In UTF-8 no byte of another character has the value of a quote. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
