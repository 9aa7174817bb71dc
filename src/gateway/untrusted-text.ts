import { isRecord } from '../shared/json/is-record.js';
import { stripHiddenMarkup } from './hidden-markup.js';
import { stripInvisible } from './invisible-characters.js';

/**
 * An answer without hidden text, in keys or values. An agent reads what outsiders wrote (advisories, package metadata,
 * findings). What a person would not see in it is meant for the agent alone.
 */
export function cleanText(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [cleanString(key), cleanValue(value)]));
}

/** The same of any part of an answer. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  return isRecord(value) ? cleanText(value) : value;
}

/** Characters first: an invisible one inside `<!--` would hide the comment from the code that reads markup. */
export function cleanString(text: string): string {
  return stripHiddenMarkup(stripInvisible(text));
}
