/** The first place where a text stops being JSON, and what was expected there. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const space = /[ \t\n\r]*/y;

/** What may follow a backslash (RFC 8259, section 7). */
const escapes = '"\\/bfnrtu';

const expectations = {
  value: 'a value',
  'value or ]': 'a value or ]',
  key: 'a key in quotes',
  'key or }': 'a key in quotes or }',
  colon: ': after a key',
  'comma or ]': ', or ]',
  'comma or }': ', or }',
  end: 'the end of the text',
} as const;

type Expectation = keyof typeof expectations;

/**
 * Finds the fault in a text that `JSON.parse` refused. Its own message tells no position for most faults before Node 22,
 * and quotes the text, which may hold a registry's token.
 */
export function findJsonFault(text: string): JsonFault {
  const open: ('[' | '{')[] = [];
  const afterValue = (): Expectation => {
    const container = open.at(-1);
    return container === undefined ? 'end' : container === '{' ? 'comma or }' : 'comma or ]';
  };
  let expected: Expectation = 'value';
  for (let at = skip(space, text, 0); ; at = skip(space, text, at)) {
    const char = text[at];
    const isValue: boolean = expected === 'value' || expected === 'value or ]';
    const isKey: boolean = expected === 'key' || expected === 'key or }';
    const closes = (char === '}' || char === ']') && expected.endsWith(` or ${char}`);
    if (closes) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else if (isValue && (char === '{' || char === '[')) {
      open.push(char);
      expected = char === '{' ? 'key or }' : 'value or ]';
      at += 1;
    } else if ((isValue || isKey) && char === '"') {
      const end = endOfString(text, at);
      if (end === null) return faultAt(text, at, 'a string, closed and escaped');
      expected = isKey ? 'colon' : afterValue();
      at = end;
    } else if (isValue && skip(scalar, text, at) > at) {
      at = skip(scalar, text, at);
      expected = afterValue();
    } else if (expected === 'colon' && char === ':') {
      expected = 'value';
      at += 1;
    } else if (expected.startsWith('comma') && char === ',') {
      expected = open.at(-1) === '{' ? 'key' : 'value';
      at += 1;
    } else return faultAt(text, at, expectations[expected]);
  }
}

/** Where a match of the sticky pattern ends; the same place where there is none. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function endOfString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '"') return at + 1;
    if (char === undefined || char < ' ') return null;
    if (char === '\\' && !escapes.includes(text[++at] ?? ' ')) return null;
  }
  return null;
}

function faultAt(text: string, position: number, expected: string): JsonFault {
  const before = text.slice(0, position);
  return { line: before.split('\n').length, column: position - before.lastIndexOf('\n'), expected };
}
