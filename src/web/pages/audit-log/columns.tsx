import { Link } from '@tanstack/react-router';
import { Bot, Cog, User, Wrench } from 'lucide-react';
import type { RouterOutputs } from '../../api/client.js';
import type { Column } from '../../components/data-list/data-list.js';
import { exact } from '../../components/format/format.js';
import { Time } from '../../components/tip/tip.js';
import { wordsOf } from './action-words.js';
import styles from './page.module.css';

export const auditColumns: readonly Column<Entry>[] = [
  {
    id: 'what',
    header: 'What',
    grow: true,
    narrow: 'first',
    cell: (entry) => (
      <span className={styles.what}>
        <Link
          to="/settings/audit-log"
          search={(before) => ({ ...before, entry: entry.id })}
          resetScroll={false}
          data-row-link
        >
          {wordsOf(entry.action)}
        </Link>{' '}
        {targetOf(entry)} <span className={styles.quiet}>{changeLine(entry)}</span>
      </span>
    ),
  },
  { id: 'who', header: 'Who', narrow: 'second', cell: ({ actor }) => <Actor actor={actor} /> },
  {
    id: 'project',
    header: 'Project',
    room: 'some',
    cell: ({ project }) => (project === null ? null : (project.name ?? project.id)),
  },
  { id: 'from', header: 'From', room: 'some', cell: ({ ip }) => (ip === null ? null : <code>{ip}</code>) },
  { id: 'at', header: 'When', narrow: 'second', align: 'end', cell: ({ at }) => <Time at={at} /> },
];

const kinds = {
  member: { Icon: User, words: 'member' },
  api_key: { Icon: Bot, words: 'API key' },
  operator: { Icon: Wrench, words: 'operator' },
  system: { Icon: Cog, words: 'Postern itself' },
} as const;

export function Actor({ actor: { kind, name } }: { readonly actor: Entry['actor'] }) {
  const { Icon, words } = kinds[kind];
  return (
    <span className={styles.actor}>
      <Icon role="img" aria-label={words} />
      {name}
    </span>
  );
}

export type Entry = RouterOutputs['organisation']['getAuditLog']['items'][number];

interface Change {
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

function changeLine(entry: Pick<Entry, 'before' | 'after'>): string {
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

/** The object of the entry in words: its name where it has one. A session has none. */
export function targetOf(entry: Entry): string {
  const { target, project, before, after, package: purl, vulnerability_id } = entry;
  if (target.kind === 'session') return '';
  const named = [after, before].flatMap((facts) => [facts?.['name'], facts?.['email'], facts?.['ref']]);
  const name = named.find((each) => typeof each === 'string');
  const about = [vulnerability_id, purl].filter((each) => each !== null).join(' in ') || null;
  const ofProject = target.kind === 'project' ? project?.name : null;
  return `${target.kind.replaceAll('_', ' ')} ${name ?? about ?? ofProject ?? target.id}`;
}
