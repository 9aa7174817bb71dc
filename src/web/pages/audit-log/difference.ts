import type { RouterOutputs } from '../../../client/index.js';
import { exact } from '../../components/time/format.js';

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

/** As the service writes moments. */
const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string')
    return value === '' ? 'empty' : isTimestamp.test(value) ? exact(new Date(value)) : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What was acted on, in words: its name where the entry has one. A session has none. */
export function targetOf(entry: Entry): string {
  const { target, project, before, after, package: purl, vulnerability_id } = entry;
  if (target.kind === 'session') return '';
  const named = [after, before].flatMap((facts) => [facts?.['name'], facts?.['email'], facts?.['ref']]);
  const name = named.find((each) => typeof each === 'string');
  const about = [vulnerability_id, purl].filter((each) => each !== null).join(' in ') || null;
  const ofProject = target.kind === 'project' ? project?.name : null;
  return `${target.kind.replaceAll('_', ' ')} ${name ?? about ?? ofProject ?? target.id}`;
}
