import * as z from 'zod';
import { isRecord } from '../../shared/json/is-record.js';
import { clip } from '../../shared/text/cut.js';

/** A text of a document as it is kept: of at most `max` characters, and without what the database cannot store. */
export function documentText(text: string, max: number): string {
  return clip(text.slice(0, max + 1).replaceAll('\0', ''), max)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim();
}

/** The same of a value of any kind; null where it is no text, or a blank one. */
export function textOrNull(value: unknown, max: number): string | null {
  const text = typeof value === 'string' ? documentText(value, max) : '';
  return text === '' ? null : text;
}

const dateTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** A document's time; null where it gives none that can be read. */
export function timeOrNull(value: unknown): Date | null {
  const { data } = dateTime.safeParse(value);
  const time = data === undefined ? Number.NaN : Date.parse(data);
  return Number.isNaN(time) ? null : new Date(time);
}

/** The texts in a list of any kind: a lone text is a list of one. At most `maxCount`. */
export function texts(value: unknown, max: number, maxCount: number): string[] {
  const list: unknown[] = Array.isArray(value) ? value.slice(0, maxCount) : [value];
  return list.flatMap((each) => textOrNull(each, max) ?? []);
}

/** The objects in a list; empty where the value is no list. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
