/** Where a text stops being JSON, counted from 1. */
export interface JsonPosition {
  readonly line: number;
  readonly column: number;
}

/** Deeper than any document: the search ends there. */
const maxDepth = 10_000;

const whitespace = /[ \t\n\r]*/y;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * The first place where a text that `JSON.parse` refused breaks the grammar of RFC 8259. The engine's own message is no
 * use here: it quotes the text, which may hold a password, and often leaves the position out.
 */
export function jsonErrorPosition(text: string): JsonPosition {
  const at = firstOffence(text);
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end';

function firstOffence(text: string): number {
  const open: Array<'[' | '{'> = [];
  let expected: Expected = 'value';
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    const length = lengthAt(pattern, text, at);
    at += length ?? 0;
    return length !== undefined;
  };
  /** Leaves `at` at the offence where there is one. */
  const takeString = (): boolean => {
    if (text[at] !== '"') return false;
    for (at += 1; at < text.length; ) {
      const character = text.charAt(at);
      if (character === '"') {
        at += 1;
        return true;
      }
      if (character < ' ' || (character === '\\' && !take(escapeSequence))) return false;
      if (character !== '\\') at += 1;
    }
    return false;
  };
  for (;;) {
    take(whitespace);
    const character = text[at];
    const inside = open.at(-1);
    if ((expected === 'comma or end' && inside === undefined) || open.length > maxDepth) return at;
    if (expected !== 'value' && expected !== 'key' && character === (inside === '{' ? '}' : ']')) {
      at += 1;
      open.pop();
      expected = 'comma or end';
    } else if (expected === 'comma or end') {
      if (character !== ',') return at;
      at += 1;
      expected = inside === '{' ? 'key' : 'value';
    } else if (expected === 'key' || expected === 'key or end') {
      if (!takeString()) return at;
      take(whitespace);
      if (text[at] !== ':') return at;
      at += 1;
      expected = 'value';
    } else if (character === '{' || character === '[') {
      open.push(character);
      at += 1;
      expected = character === '{' ? 'key or end' : 'value or end';
    } else if (take(literal) || takeString()) expected = 'comma or end';
    else return at;
  }
}

function lengthAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length;
}
