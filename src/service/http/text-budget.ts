const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket, comma] = Buffer.from('"\\{[}],');
const space = 0x20;
const [lessThan, equals, ampersand] = Buffer.from('<=&');

/** What a JSON text may hold at most. */
export interface JsonBudget {
  /** Levels of objects and lists. */
  readonly depth: number;
  /** Values: what objects and lists hold, and the whole. */
  readonly values: number;
}

/**
 * The part of the budget that a JSON text exceeds; null where it keeps it. Checked before the text is parsed, because code that
 * walks a deep value by recursion overflows the stack, and because each value takes memory: `{}` is three bytes of text and
 * some sixty of memory. For invalid JSON the result has no meaning: the parser rejects it.
 */
export function exceededBudget(json: string, budget: JsonBudget): keyof JsonBudget | null {
  let depth = 0;
  let values = 1;
  // Whether nothing has come since an object or list began: an empty one has no values.
  let isEmpty = false;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === openBrace || unit === openBracket) {
      depth += 1;
      values += 1;
      isEmpty = true;
      if (depth > budget.depth) return 'depth';
      continue;
    }
    if (unit === closeBrace || unit === closeBracket) {
      depth -= 1;
      if (isEmpty) values -= 1;
    } else if (unit === comma) values += 1;
    else if (unit === quote) at = endOfString(json, at);
    else if (unit <= space) continue;
    isEmpty = false;
    if (values > budget.values) return 'values';
  }
  return null;
}

/** Where the string that begins at `start` ends. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Whether an XML text has more tags, attributes and entities than `max`: each of them takes memory while it is read. */
export function exceedsMarkup(xml: string, max: number): boolean {
  let found = 0;
  for (let at = 0; at < xml.length; at += 1) {
    const unit = xml.charCodeAt(at);
    if (unit === lessThan || unit === equals || unit === ampersand) found += 1;
    if (found > max) return true;
  }
  return false;
}
