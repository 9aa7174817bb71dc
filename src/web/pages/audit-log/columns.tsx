import { Link } from '@tanstack/react-router';
import { Bot, Cog, User, Wrench } from 'lucide-react';
import type { Column } from '../../components/data-list/columns.js';
import { Time } from '../../components/time/time.js';
import { wordsOf } from './action-words.js';
import { changeLine, type Entry, targetOf } from './difference.js';
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
