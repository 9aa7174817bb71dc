import { isRecord } from '../shared/json/is-record.js';
import { stripHtml } from './hidden-html.js';
import { stripMarkdown } from './hidden-markdown.js';
import { stripInvisible } from './invisible-characters.js';

/** Without hidden text, in keys or values: what a person would not see in it is meant for the agent alone. */
export function cleanText(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [cleanString(key), cleanValue(value)]));
}

/** The same of any part of an answer. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  return isRecord(value) ? cleanText(value) : value;
}

/**
 * Text without invisible characters and without what HTML or Markdown would hide: comments, hidden elements, attributes
 * that hold text, images' alternative texts, link titles and definitions. Code is treated like prose, because a wrong
 * guess of what is code would let a comment through.
 */
export function cleanString(text: string): string {
  // Characters first: an invisible one inside `<!--` would hide the comment from the code that reads markup.
  const plain = stripInvisible(text);
  const html = plain.includes('<') ? stripHtml(plain) : plain;
  return html.includes('[') ? stripMarkdown(html) : html;
}
