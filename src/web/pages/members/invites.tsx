import { useState } from 'react';
import { api, client, queryClient, useChange } from '../../api/client.js';
import { tokenLink } from '../../api/link-token.js';
import { useMay, useSession } from '../../api/session.js';
import { Tag } from '../../components/badge/badge.js';
import { Button } from '../../components/button/button.js';
import { actionsColumn, type Column, DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction, type DialogProps, FormDialog } from '../../components/dialog/dialog.js';
import { TextField, textOf } from '../../components/field/field.js';
import { Empty, Section } from '../../components/page/page.js';
import { Mailed, ShownOnce } from '../../components/secret/shown-once.js';
import { Time } from '../../components/tip/tip.js';
import { type Invite, useInvites } from './members.js';
import { RoleFields, rolesOf } from './role-fields.js';

export function InviteList() {
  const { query } = useInvites();
  const isAdmin = useMay()('organisation.revokeInvite');
  const [asked, setAsked] = useState<Invite | null>(null);
  return (
    <Section title="Invites">
      <DataList
        label="Invites"
        query={query}
        columns={inviteColumns(isAdmin ? setAsked : null)}
        empty={<Empty title="No invite is pending, and none was accepted in the last 30 days." />}
      />
      <ConfirmAction
        target={asked}
        onClose={() => setAsked(null)}
        title={({ email }) => `Revoke the invite of ${email}?`}
        description={() => 'Its link opens nothing any more. You can invite the same address again.'}
        action="Revoke"
        send={({ id }: Invite) => client.organisation.revokeInvite.mutate({ invite_id: id })}
        done={(_, { email }) => `The invite of ${email} was revoked`}
        stale={[api.organisation.listInvites.pathFilter()]}
      />
    </Section>
  );
}

const looks = { pending: 'warn', accepted: 'good', expired: 'plain', revoked: 'plain' } as const;

function inviteColumns(onRevoke: ((invite: Invite) => void) | null): readonly Column<Invite>[] {
  const revoke = actionsColumn<Invite>((invite) =>
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
  );
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

interface InviteDialogProps extends DialogProps {}

/** Invites an address. The link goes there by mail, or is shown once where the server sends none. */
export function InviteDialog({ open, onClose }: InviteDialogProps) {
  const { sendsMail } = useSession();
  const invite = useChange({
    send: client.organisation.createInvite.mutate,
    // Not waited for: the link is shown at once.
    onDone: () => void queryClient.invalidateQueries(api.organisation.listInvites.pathFilter()),
  });
  const close = () => {
    invite.reset();
    onClose();
  };
  const { data } = invite;
  return (
    <FormDialog
      {...{ open, onClose, change: invite }}
      title={data === undefined ? 'Invite a person' : `The invite of ${data.invite.email}`}
      deliberate={data !== undefined && data.token !== null}
      onSend={(values) => invite.mutate({ email: textOf(values, 'email').trim(), ...rolesOf(values) })}
      action="Invite"
      result={
        data === undefined ? null : data.token === null ? (
          <Mailed to={data.invite.email} onDone={close}>
            The list of invites says when it has arrived at the mail server, or was refused there. It is good for one
            use, and ends <Time at={data.invite.expires_at} />.
          </Mailed>
        ) : (
          <ShownOnce
            label="the invite’s link"
            text={tokenLink('/accept-invite', data.token)}
            onDone={close}
            done="I have handed it over"
          >
            <p>
              Hand it to {data.invite.email} by a way that only this person can read. It is good for one use, and ends{' '}
              <Time at={data.invite.expires_at} />. A lost one is revoked, and made again.
            </p>
          </ShownOnce>
        )
      }
    >
      <TextField
        name="email"
        label="E-mail"
        type="email"
        autoComplete="off"
        required
        maxLength={254}
        hint={
          sendsMail
            ? 'The person signs in with it, and gets a link there.'
            : 'The person signs in with it. No mail is sent: you get a link to hand over.'
        }
      />
      <RoleFields roles={{ role: 'member', groups: [] }} />
    </FormDialog>
  );
}
