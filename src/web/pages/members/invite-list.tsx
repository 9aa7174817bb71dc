import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { useChange } from '../../api/use-change.js';
import { Tag } from '../../components/badge/badge.js';
import { Button } from '../../components/button/button.js';
import type { Column } from '../../components/data-list/columns.js';
import { DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { Section } from '../../components/page/page.js';
import { Empty } from '../../components/state/state.js';
import { Time } from '../../components/time/time.js';
import { type Invite, inviteList } from './members.js';

export function InviteList() {
  const query = useInfiniteQuery(inviteList);
  const isAdmin = useMay()('organisation.revokeInvite');
  const [asked, setAsked] = useState<Invite | null>(null);
  const revoke = useChange({
    send: ({ id }: Invite) => client.organisation.revokeInvite.mutate({ invite_id: id }),
    done: (_, { email }) => `The invite of ${email} was revoked`,
    stale: [api.organisation.listInvites.pathFilter()],
  });
  const columns = inviteColumns(isAdmin ? setAsked : null);
  return (
    <Section title="Invites">
      <DataList
        label="Invites"
        query={query}
        columns={columns}
        rowId={({ id }) => id}
        empty={<Empty title="No invite is pending, and none was accepted in the last 30 days." />}
      />
      <ConfirmAction
        target={asked}
        onClose={() => setAsked(null)}
        title={({ email }) => `Revoke the invite of ${email}?`}
        description={() => 'Its link opens nothing any more. You can invite the same address again.'}
        action="Revoke"
        mutation={revoke}
      />
    </Section>
  );
}

const looks = { pending: 'warn', accepted: 'good', expired: 'plain', revoked: 'plain' } as const;

function inviteColumns(onRevoke: ((invite: Invite) => void) | null): readonly Column<Invite>[] {
  const revoke: Column<Invite> = {
    id: 'actions',
    header: 'Actions',
    hidesHeader: true,
    narrow: 'second',
    align: 'end',
    cell: (invite) =>
      invite.status === 'pending' ? (
        <Button
          look="quiet"
          size="small"
          onClick={() => onRevoke?.(invite)}
          aria-label={`Revoke the invite of ${invite.email}`}
        >
          Revoke
        </Button>
      ) : null,
  };
  return [
    { id: 'email', header: 'E-mail', grow: true, narrow: 'first', cell: ({ email }) => <strong>{email}</strong> },
    { id: 'role', header: 'As', cell: ({ role }) => role },
    {
      id: 'status',
      header: 'State',
      narrow: 'second',
      cell: (invite) => <State invite={invite} />,
    },
    { id: 'by', header: 'Invited by', room: 'some', cell: ({ invited_by }) => invited_by },
    { id: 'at', header: 'Invited', cell: ({ created_at }) => <Time at={created_at} /> },
    { id: 'end', header: 'Ends or accepted', narrow: 'second', cell: (invite) => <Ending invite={invite} /> },
    ...(onRevoke === null ? [] : [revoke]),
  ];
}

/** An invite whose mail was refused waits for nobody: the address may be wrong. */
function State({ invite: { status, delivery } }: { readonly invite: Invite }) {
  if (status !== 'pending' || delivery === null || delivery === 'sent') return <Tag look={looks[status]}>{status}</Tag>;
  return delivery === 'failed' ? <Tag look="danger">mail refused</Tag> : <Tag look="warn">mail on its way</Tag>;
}

function Ending({ invite: { accepted_at, expires_at } }: { readonly invite: Invite }) {
  return accepted_at === null ? (
    <>
      ends <Time at={expires_at} />
    </>
  ) : (
    <>
      accepted <Time at={accepted_at} />
    </>
  );
}
