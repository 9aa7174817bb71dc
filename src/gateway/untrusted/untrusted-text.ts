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
