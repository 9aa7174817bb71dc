import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/may.js';
import { useSession } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { DataList } from '../../components/data-list/data-list.js';
import { Page, Section } from '../../components/page/page.js';
import { InviteDialog } from './invite-dialog.js';
import { InviteList } from './invite-list.js';
import { memberColumns } from './member-columns.js';
import { MemberDialogs } from './member-dialogs.js';
import { answerOf, inviteList, type MemberAction, memberList } from './members.js';
import { SessionList } from './session-list.js';

export function MembersPage() {
  const isAdmin = useMay()('organisation.createInvite');
  const [isInviting, setInviting] = useState(false);
  const members = useInfiniteQuery(memberList).data?.pages;
  const invites = useInfiniteQuery(inviteList).data?.pages;
  const known = <Item,>(pages: ReadonlyArray<{ readonly items: readonly Item[]; readonly total: number }>) => ({
    items: pages.flatMap(({ items }) => items),
    total: pages[0]?.total ?? 0,
  });
  return (
    <Page
      title="Members"
      answer={
        members === undefined
          ? 'People who can sign in.'
          : `${answerOf(known(members), invites ? known(invites) : null)}${isAdmin ? '' : ' Only admins can change this.'}`
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
  const query = useInfiniteQuery(memberList);
  const [action, setAction] = useState<MemberAction | null>(null);
  const me = useSession().member?.id ?? null;
  const isAdmin = useMay()('organisation.updateMember');
  const columns = memberColumns(me, isAdmin ? setAction : null);
  return (
    <Section title="Members">
      <DataList label="Members" query={query} columns={columns} rowId={({ id }) => id} empty={null} />
      {isAdmin && <MemberDialogs action={action} onClose={() => setAction(null)} />}
    </Section>
  );
}
