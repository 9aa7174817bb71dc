import type { RouterOutputs } from '../../api/client.js';
import { Tag } from '../badge/badge.js';
import { Button } from '../button/button.js';
import { actionsColumn, type Column } from '../data-list/data-list.js';
import { Time } from '../tip/tip.js';
import styles from './session-columns.module.css';

export type Session = RouterOutputs['session']['list']['items'][number];

/** Sessions that go on: whose, since when, from where. The one that asks is marked, and has no end here: it signs out. */
export function sessionColumns(of: 'all' | 'me', onEnd: (session: Session) => void): readonly Column<Session>[] {
  const where: Column<Session> = {
    id: 'where',
    header: 'Signed in from',
    narrow: 'first',
    grow: true,
    cell: ({ ip, current }) => (
      <span className={styles.where}>
        {ip === null ? <span className={styles.quiet}>an address that is not known</span> : <code>{ip}</code>}
        {current && <Tag look="good">this session</Tag>}
      </span>
    ),
  };
  const who: Column<Session> = {
    id: 'who',
    header: 'Member',
    narrow: 'second',
    cell: ({ member }) => member.name,
  };
  return [
    ...(of === 'all' ? [who] : []),
    where,
    {
      id: 'since',
      header: 'Since',
      narrow: 'second',
      cell: ({ created_at }) => (
        <>
          <span className={styles.narrowWord}>since </span>
          <Time at={created_at} />
        </>
      ),
    },
    { id: 'until', header: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
    actionsColumn((session) =>
      session.current ? null : (
        <Button
          look="quiet"
          size="small"
          onClick={() => onEnd(session)}
          aria-label={`End the session of ${session.member.name} from ${session.ip ?? 'an unknown address'}`}
        >
          End
        </Button>
      ),
    ),
  ];
}
