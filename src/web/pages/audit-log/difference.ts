import type { RouterOutputs } from '../../../client/index.js';

export type Entry = RouterOutputs['organisation']['getAuditLog']['items'][number];

export interface Change {
  readonly field: string;
  /** Null: the entry says nothing of it. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The fields of an entry, with what they were and what they became, as text. */
export function changesOf({ before, after }: Pick<Entry, 'before' | 'after'>): readonly Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].map((field) => ({
    field: field.replaceAll('_', ' '),
    before: before !== null && Object.hasOwn(before, field) ? textOf(before[field]) : null,
    after: after !== null && Object.hasOwn(after, field) ? textOf(after[field]) : null,
  }));
}

/** The same in a line. */
export function changeLine(entry: Pick<Entry, 'before' | 'after'>): string {
  return changesOf(entry)
    .map(({ field, before, after }) => {
      if (before === null) return `${field}: ${after ?? ''}`;
      return after === null ? `${field} was ${before}` : `${field}: ${before} → ${after}`;
    })
    .join(', ');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What was acted on, in words: its name where the entry has one. */
export function targetOf({ target, before, after, package: purl, vulnerability_id }: Entry): string {
  const kind = target.kind.replaceAll('_', ' ');
  const named = [after, before].flatMap((facts) => [facts?.['name'], facts?.['email']]);
  const name = named.find((each) => typeof each === 'string');
  const about = [vulnerability_id, purl].filter((each) => each !== null).join(' in ');
  return `${kind} ${name ?? (about === '' ? target.id : about)}`;
}
