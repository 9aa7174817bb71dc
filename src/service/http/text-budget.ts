const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = Buffer.from('"\\{[}]');

/**
 * Whether a JSON text nests objects and lists deeper than `maxDepth`. Checked before the text is parsed, because code
 * that walks a deep value by recursion overflows the stack. For invalid JSON the result has no meaning: the parser
 * rejects it.
 */
export function exceedsDepth(json: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === quote) at = endOfString(json, at);
    else if (unit === openBrace || unit === openBracket) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (unit === closeBrace || unit === closeBracket) depth -= 1;
  }
  return false;
}

/** Where the string that begins at `start` ends. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
