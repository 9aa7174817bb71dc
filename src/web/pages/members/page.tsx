import { Link } from '@tanstack/react-router';
import { Ellipsis, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useMay, useSession } from '../../api/session.js';
import { Tag } from '../../components/badge/badge.js';
import { Button } from '../../components/button/button.js';
import { actionsColumn, type Column, DataList } from '../../components/data-list/data-list.js';
import { ActionMenu, MenuItem } from '../../components/menu/menu.js';
import { Page, Section } from '../../components/page/page.js';
import { Time } from '../../components/tip/tip.js';
import { proofWords } from '../../words.js';
import { InviteDialog, InviteList } from './invites.js';
import { MemberDialogs } from './member-dialogs.js';
import { answerOf, type Member, type MemberAction, useInvites, useMembers } from './members.js';
import styles from './page.module.css';
import { SessionList } from './session-list.js';

export default function MembersPage() {
  const isAdmin = useMay()('organisation.createInvite');
  const [isInviting, setInviting] = useState(false);
  const members = useMembers();
  const invites = useInvites();
  return (
    <Page
      title="Members"
      answer={
        members.first === undefined
          ? 'People who can sign in.'
          : `${answerOf(members.rows, members.first.total, invites.first ? invites.rows : null)}${isAdmin ? '' : ' Only admins can change this.'}`
      }
      actions={
        isAdmin && (
          <Button look="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" /> Invite
          </Button>
        )
      }
    >
      <MemberList />
      <InviteList />
      {isAdmin && <SessionList />}
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function MemberList() {
  const { query } = useMembers();
  const [action, setAction] = useState<MemberAction | null>(null);
  const me = useSession().member?.id ?? null;
  const isAdmin = useMay()('organisation.updateMember');
  return (
    <Section title="Members">
      <DataList label="Members" query={query} columns={memberColumns(me, isAdmin ? setAction : null)} empty={null} />
      {isAdmin && <MemberDialogs action={action} onClose={() => setAction(null)} />}
    </Section>
  );
}

type Choose = (action: MemberAction) => void;

/** @param choose null for those who may not change anything */
function memberColumns(me: string | null, choose: Choose | null): readonly Column<Member>[] {
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
  return actionsColumn((member) => <MemberMenu member={member} isMe={member.id === me} choose={choose} />);
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
      {!isMe && (member.deactivated_at === null ? item('deactivate', 'Deactivate') : item('reactivate', 'Reactivate'))}
      {item('remove', isMe ? 'Remove me' : 'Remove from the organisation')}
    </ActionMenu>
  );
}
