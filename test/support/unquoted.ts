import type { TextsOf } from '../../src/gateway/untrusted/mark-texts.js';
import { isRecord } from '../../src/shared/json/is-record.js';

/** An answer of a tool with its texts as they were before those outside their grammars were put in quotes. */
export function unquoted(value: unknown, texts: TextsOf | null): unknown {
  if (texts === null) return value;
  if (Array.isArray(value)) return value.map((each) => unquoted(each, texts));
  const { fields, kind } = texts;
  if (fields !== null) {
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, unquoted(each, fields.get(name) ?? null)]),
    );
  }
  if (typeof value !== 'string' || value === '' || value === '…' || kind === null || kind.fits(value)) return value;
  return JSON.parse(value);
}
