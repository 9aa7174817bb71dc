import { cleanText } from './untrusted-text.js';

/** An answer without hidden text, and its JSON text. */
export interface CleanAnswer {
  readonly value: Record<string, unknown>;
  readonly json: string;
}

/** The same as `cleanText`, which walks an answer only where its JSON text shows something that may have to go. */
export function cleanAnswer(wire: Record<string, unknown>): CleanAnswer {
  const json = JSON.stringify(wire);
  if (isClean(json)) return { value: wire, json };
  const value = cleanText(wire);
  return { value, json: value === wire ? json : JSON.stringify(value) };
}

/**
 * Whether no text in what `JSON.stringify` wrote holds a `<`, a `[` or a character that may be invisible: what `cleanString`
 * looks for. Escapes stand for control characters and lone surrogates; of these, line breaks and tabs stay.
 */
function isClean(json: string): boolean {
  if (json.includes('<') || (json.includes('\\') && /\\[^"\\nt]/.test(json))) return false;
  return isPrintable(json) && !hasBracketInText(json);
}

/** Whether all is printable ASCII: as many bytes as characters, and not the one control character that JSON does not escape. */
function isPrintable(json: string): boolean {
  return Buffer.byteLength(json) === json.length && !json.includes('\x7f');
}

/**
 * A `[` that begins a list comes after a key, as in `a":[`. In a text it cannot: there a quote has a backslash before it, and
 * one that opens a text has a sign of JSON.
 */
function hasBracketInText(json: string): boolean {
  for (let at = json.indexOf('['); at !== -1; at = json.indexOf('[', at + 1)) {
    if (json[at - 1] !== ':' || json[at - 2] !== '"' || !/\w/.test(json[at - 3] ?? '')) return true;
  }
  return false;
}
