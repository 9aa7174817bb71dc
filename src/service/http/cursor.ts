import { createHash } from 'node:crypto';
import * as z from 'zod';
import { invalidField } from './api-error.js';

/** Names a procedure and its input without paging, so that a cursor tells of which list it is. */
export function questionOf(procedure: string, input: object): string {
  const filters = Object.entries(input).filter(([name, value]) => value !== undefined && !ofPaging.has(name));
  const given = filters.sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([procedure, given]))
    .digest('base64url')
    .slice(0, 10);
}

const ofPaging: ReadonlySet<string> = new Set(['page', 'page_size', 'cursor', 'cursors']);

/** Throws for the cursor of another list, or of the same with other filters. */
export function requireOwnCursor(
  question: string,
  { cursor, page }: { readonly cursor?: unknown; readonly page?: unknown },
): void {
  if (typeof cursor !== 'string') return;
  if (Number(page) > 1) throw invalidField('page', 'page_and_cursor');
  if (openCursor(cursor).question !== question) throw invalidField('cursor', 'cursor_of_another_list');
}

/** A place in a list, after the row with these keys. */
export interface Cursor {
  readonly question: string;
  readonly asOf: string;
  /** Rows that were seen up to there. */
  readonly seen: number;
  readonly after: readonly (string | null)[];
}

const cursorParts = z.tuple([z.string(), z.iso.datetime(), z.int().min(0)], z.string().nullable());

export function sealCursor({ question, asOf, seen, after }: Cursor): string {
  return Buffer.from(JSON.stringify([question, asOf, seen, ...after])).toString('base64url');
}

/** Throws for a text that is no cursor. */
export function openCursor(text: string): Cursor {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    throw invalidField('cursor', 'not_a_cursor');
  }
  const parsed = cursorParts.safeParse(json);
  if (!parsed.success) throw invalidField('cursor', 'not_a_cursor');
  const [question, asOf, seen, ...after] = parsed.data;
  return { question, asOf, seen, after };
}
