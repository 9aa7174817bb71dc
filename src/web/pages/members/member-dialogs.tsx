import { api, client } from '../../api/client.js';
import { useChange } from '../../api/use-change.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { FormDialog } from '../../components/dialog/form-dialog.js';
import { counted } from '../../components/number/number.js';
import type { Member, MemberAction } from './members.js';
import { ResetLink } from './reset-link.js';
import { RoleFields, rolesOf } from './role-fields.js';

interface MemberDialogsProps {
  readonly action: MemberAction | null;
  readonly onClose: () => void;
}

/** What was chosen in a member's menu, asked before it is done. */
export function MemberDialogs({ action, onClose }: MemberDialogsProps) {
  const of = (kind: MemberAction['kind']) => (action?.kind === kind ? action.member : null);
  return (
    <>
      <ChangeRoles member={of('roles')} onClose={onClose} />
      <Deactivate member={of('deactivate')} onClose={onClose} />
      <ConfirmAddress member={of('confirm_address')} onClose={onClose} />
      <ResetLink member={of('reset')} onClose={onClose} />
      <EndSessions member={of('end_sessions')} onClose={onClose} />
      <Remove member={of('remove')} onClose={onClose} />
    </>
  );
}

interface DialogProps {
  readonly member: Member | null;
  readonly onClose: () => void;
}

/** Members are shown in lists, and the reader may have changed what is the reader's own. */
const shown = [api.organisation.listMembers.pathFilter(), { queryKey: ['session'] }];

function ChangeRoles({ member, onClose }: DialogProps) {
  const change = useChange({
    send: client.organisation.updateMember.mutate,
    done: ({ name }) => `The roles of ${name} were changed`,
    onDone: onClose,
    stale: shown,
  });
  return (
    <FormDialog
      {...{ open: member !== null, onClose, change }}
      title={`Roles of ${member?.name ?? ''}`}
      onSend={(values) => member !== null && change.mutate({ member_id: member.id, ...rolesOf(values) })}
      action="Change roles"
    >
      {member !== null && <RoleFields roles={member} />}
    </FormDialog>
  );
}

function Deactivate({ member, onClose }: DialogProps) {
  const isActive = (of: Member) => of.deactivated_at === null;
  const change = useChange({
    send: (of: Member) => client.organisation.updateMember.mutate({ member_id: of.id, deactivated: isActive(of) }),
    done: (now) => `${now.name} ${isActive(now) ? 'can sign in again' : 'is deactivated'}`,
    stale: shown,
  });
  return (
    <ConfirmAction
      target={member}
      onClose={onClose}
      title={(of) => `${isActive(of) ? 'Deactivate' : 'Reactivate'} ${of.name}?`}
      description={(of) =>
        isActive(of)
          ? 'This person is signed out everywhere at once and cannot come in. Roles stay, for when you reactivate. API keys that this person made go on working.'
          : 'This person can sign in again, with the roles of before.'
      }
      action={member === null || isActive(member) ? 'Deactivate' : 'Reactivate'}
      look={member === null || isActive(member) ? 'danger' : 'primary'}
      mutation={change}
    />
  );
}

function ConfirmAddress({ member, onClose }: DialogProps) {
  const confirm = useChange({
    send: ({ id }: Member) => client.organisation.updateMember.mutate({ member_id: id, confirm_address: true }),
    done: ({ name }) => `The address of ${name} is confirmed`,
    stale: shown,
  });
  return (
    <ConfirmAction
      target={member}
      onClose={onClose}
      title={({ name }) => `Confirm the address of ${name}?`}
      description={({ email }) =>
        `You say that ${email} is this person’s: whoever signs in with it elsewhere is this member then. Only addresses of a domain that is proven to be your organisation’s can be confirmed.`
      }
      action="Confirm"
      look="primary"
      mutation={confirm}
    />
  );
}

function EndSessions({ member, onClose }: DialogProps) {
  const end = useChange({
    send: ({ id }: Member) => client.organisation.endSessions.mutate({ member_id: id }),
    done: ({ ended }, { name }) => `${counted(ended, 'session')} of ${name} ended`,
    stale: [api.organisation.listSessions.pathFilter()],
  });
  return (
    <ConfirmAction
      target={member}
      onClose={onClose}
      title={({ name }) => `End the sessions of ${name}?`}
      description={() => 'Whoever uses one of them is asked to sign in again at the next click. This session goes on.'}
      action="End sessions"
      mutation={end}
    />
  );
}

function Remove({ member, onClose }: DialogProps) {
  const remove = useChange({
    send: ({ id }: Member) => client.organisation.removeMember.mutate({ member_id: id }),
    done: (_, { name }) => `${name} was removed`,
    stale: [api.organisation.pathFilter()],
  });
  return (
    <ConfirmAction
      target={member}
      onClose={onClose}
      title={({ name }) => `Remove ${name}?`}
      description={({ email }) => (
        <>
          {email} is signed out everywhere at once, and can come back only by a new invite. What was done stays in the
          audit log; API keys that this person made go on working.
        </>
      )}
      action="Remove"
      mutation={remove}
    />
  );
}
