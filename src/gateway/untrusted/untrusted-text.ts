import { isRecord } from '../../shared/json/is-record.js';
import { stripHtml } from '../../shared/text/hidden-html.js';
import { stripMarkdown } from '../../shared/text/hidden-markdown.js';
import { stripInvisible } from '../../shared/text/invisible-characters.js';

/**
 * Without hidden text, in keys or values: what a person would not see in it is meant for the agent alone. The answer itself
 * where nothing is hidden in it.
 */
export function cleanText(answer: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(answer);
  let same = true;
  for (const entry of entries) {
    const [key, value] = entry;
    entry[0] = cleanString(key);
    entry[1] = cleanValue(value);
    same &&= entry[0] === key && entry[1] === value;
  }
  return same ? answer : Object.fromEntries(entries);
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return cleanList(value);
  return isRecord(value) ? cleanText(value) : value;
}

function cleanList(values: readonly unknown[]): readonly unknown[] {
  const cleaned = values.map(cleanValue);
  return cleaned.every((value, at) => value === values[at]) ? values : cleaned;
}

/** Anything but printable ASCII, line breaks and tabs; and the characters that begin markup. */
const suspect = /[^\n\t -;=-Z\\-~]/;

/**
 * Text without invisible characters and without what HTML or Markdown would hide: comments, hidden elements, attributes
 * that hold text, images' alternative texts, link titles and definitions. Code is treated like prose, because a wrong
 * guess of what is code would let a comment through.
 */
export function cleanString(text: string): string {
  if (!suspect.test(text)) return text;
  // Characters first: an invisible one inside `<!--` would hide the comment from the code that reads markup.
  let shown = stripInvisible(text);
  for (let round = 0; round < maxRounds; round += 1) {
    const before = shown;
    if (shown.includes('<')) shown = stripHtml(shown);
    if (shown.includes('[')) shown = stripMarkdown(shown);
    if (shown === before) return shown;
  }
  return shown.replace(/[<[]/g, '');
}

/**
 * A piece that is taken out can bare other markup, as where a quote goes with it. Only hostile texts do so more than
 * once or twice: they lose what begins markup.
 */
const maxRounds = 3;

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
