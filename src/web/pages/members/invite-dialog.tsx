import { api, client, queryClient } from '../../api/client.js';
import { tokenLink } from '../../api/link-token.js';
import { useSession } from '../../api/session.js';
import { useChange } from '../../api/use-change.js';
import { FormDialog } from '../../components/dialog/form-dialog.js';
import { TextField, textOf } from '../../components/field/field.js';
import { Mailed } from '../../components/secret/mailed.js';
import { ShownOnce } from '../../components/secret/shown-once.js';
import { Time } from '../../components/time/time.js';
import { RoleFields, rolesOf } from './role-fields.js';

interface InviteDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

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
