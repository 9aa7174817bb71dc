import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { Tag } from '../../components/badge/badge.js';
import { Button } from '../../components/button/button.js';
import type { Column } from '../../components/data-list/columns.js';
import { ActionMenu, MenuItem } from '../../components/menu/menu.js';
import { Time } from '../../components/time/time.js';
import { proofWords } from '../../words.js';
import type { Member, MemberAction } from './members.js';
import styles from './page.module.css';

type Choose = (action: MemberAction) => void;

/** @param choose null for those who may not change anything */
export function memberColumns(me: string | null, choose: Choose | null): readonly Column<Member>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      grow: true,
      narrow: 'first',
      cell: ({ id, name, email, proven_by, deactivated_at }) => (
        <span className={styles.person}>
          <strong>{name}</strong>
          {id === me && <Tag>you</Tag>}
          {deactivated_at !== null && <Tag look="danger">deactivated</Tag>}
          <span className={styles.quiet}>
            {email}, {proven_by === null ? 'not proven' : `proven ${proofWords[proven_by]}`}
          </span>
        </span>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      narrow: 'second',
      cell: ({ role, groups }) => (
        <>
          {(role !== 'none' || groups.length === 0) && <Tag look={role === 'admin' ? 'warn' : 'plain'}>{role}</Tag>}
          {groups.map((group) => (
            <span key={group.id} className={styles.quiet}>
              {' '}
              {group.role} in {group.name}
            </span>
          ))}
        </>
      ),
    },
    { id: 'joined', header: 'Member since', room: 'some', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'seen',
      header: 'Last seen',
      narrow: 'second',
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? (
          <span className={styles.quiet}>not yet seen</span>
        ) : (
          <>
            <span className={styles.narrowWord}>seen </span>
            <Time at={last_seen_at} />
          </>
        ),
    },
    ...(choose === null ? [] : [menuColumn(me, choose)]),
  ];
}

function menuColumn(me: string | null, choose: Choose): Column<Member> {
  return {
    id: 'actions',
    header: 'Actions',
    hidesHeader: true,
    narrow: 'second',
    align: 'end',
    cell: (member) => <MemberMenu member={member} isMe={member.id === me} choose={choose} />,
  };
}

interface MemberMenuProps {
  readonly member: Member;
  readonly isMe: boolean;
  readonly choose: Choose;
}

function MemberMenu({ member, isMe, choose }: MemberMenuProps) {
  const item = (kind: MemberAction['kind'], words: string) => (
    <MenuItem onClick={() => choose({ kind, member })}>{words}</MenuItem>
  );
  return (
    <ActionMenu
      trigger={
        <Button look="quiet" size="small" aria-label={`Actions for ${member.name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {item('roles', 'Change roles')}
      {member.proven_by === null && item('confirm_address', 'Confirm the address')}
      {isMe ? (
        <MenuItem render={<Link to="/settings/account" />}>Change my password</MenuItem>
      ) : (
        item('reset', 'Link for a new password')
      )}
      <MenuItem render={<Link to="/settings/members" search={{ sessions_of: member.id }} hash="sessions" />}>
        Show sessions
      </MenuItem>
      {item('end_sessions', isMe ? 'End my other sessions' : 'End all sessions')}
      {!isMe && item('deactivate', member.deactivated_at === null ? 'Deactivate' : 'Reactivate')}
      {item('remove', isMe ? 'Remove me' : 'Remove from the organisation')}
    </ActionMenu>
  );
}
