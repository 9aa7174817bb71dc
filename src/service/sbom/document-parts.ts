import { maxTokens } from '../../shared/text/max-tokens.js';
import { invalidField } from '../http/api-error.js';
import type { CycloneDxDocument } from './cyclonedx-document.js';

/** Estimated tokens of a part at most: an agent takes it whole. */
const maxPartTokens = 17_500;

interface Part {
  readonly document: Readonly<Record<string, unknown>>;
  /** Null: it is the last. */
  readonly next_cursor: string | null;
}

/**
 * A document in parts, each a CycloneDX document with some entries of its lists: all parts together have each entry once, in order. What is
 * no list is in the first part. A cursor names the document by its serial number, and where the part begins.
 */
export function partOf(document: CycloneDxDocument, cursor: string): Part {
  const from = placeOf(document, cursor);
  const { bomFormat, specVersion, serialNumber, version, ...rest } = document;
  const entries = Object.entries(rest).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((entry: unknown) => ({ name, entry })) : [],
  );
  const others = Object.fromEntries(Object.entries(rest).filter(([, value]) => from === 0 && !Array.isArray(value)));
  const lists: Record<string, unknown[]> = {};
  let left = maxPartTokens - tokensOf(others);
  let to = from;
  for (const { name, entry } of entries.slice(from)) {
    left -= tokensOf(entry) + 1;
    if (left < 0 && to > from) break;
    lists[name] = [...(lists[name] ?? []), entry];
    to += 1;
  }
  return {
    document: { bomFormat, specVersion, serialNumber, version, ...others, ...lists },
    next_cursor: to < entries.length ? cursorAt(document, to) : null,
  };
}

/** The cursor of the first part; null where one answer holds the whole document. */
export function firstCursor(document: CycloneDxDocument, json: string): string | null {
  return maxTokens(json) <= maxPartTokens ? null : cursorAt(document, 0);
}

function cursorAt({ serialNumber }: CycloneDxDocument, place: number): string {
  return `${place}.${serialNumber.replace('urn:uuid:', '')}`;
}

function placeOf({ serialNumber }: CycloneDxDocument, cursor: string): number {
  const [, place, serial] = /^(\d{1,7})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (place === undefined) throw invalidField('cursor', 'no_cursor');
  if (`urn:uuid:${serial}` !== serialNumber) throw invalidField('cursor', 'changed_document');
  return Number(place);
}

function tokensOf(value: unknown): number {
  return maxTokens(JSON.stringify(value));
}
