import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { Modal } from '../../components/dialog/dialog.js';
import { FormActions, SendForm } from '../../components/field/field.js';
import { counted } from '../../components/number/number.js';
import { toast } from '../../components/toast/toast.js';
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
function useRefresh() {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries(api.organisation.listMembers.pathFilter());
    await queryClient.invalidateQueries({ queryKey: ['session'] });
  };
}

function ChangeRoles({ member, onClose }: DialogProps) {
  const refresh = useRefresh();
  const change = useMutation(
    api.organisation.updateMember.mutationOptions({
      onSuccess: async ({ name }) => {
        toast.done(`The roles of ${name} were changed`);
        onClose();
        await refresh();
      },
    }),
  );
  const close = () => {
    change.reset();
    onClose();
  };
  return (
    <Modal open={member !== null} onClose={close} title={`Roles of ${member?.name ?? ''}`}>
      {member !== null && (
        <SendForm onSend={(values) => change.mutate({ member_id: member.id, ...rolesOf(values) })} error={change.error}>
          <RoleFields roles={member} />
          <FormActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" look="primary" busy={change.isPending}>
              Change roles
            </Button>
          </FormActions>
        </SendForm>
      )}
    </Modal>
  );
}

function Deactivate({ member, onClose }: DialogProps) {
  const refresh = useRefresh();
  const isActive = (of: Member) => of.deactivated_at === null;
  const change = useMutation({
    mutationFn: (of: Member) =>
      client.organisation.updateMember.mutate({ member_id: of.id, deactivated: isActive(of) }),
    onSuccess: async (now) => {
      toast.done(`${now.name} ${isActive(now) ? 'can sign in again' : 'is deactivated'}`);
      await refresh();
    },
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
  const refresh = useRefresh();
  const confirm = useMutation({
    mutationFn: ({ id }: Member) => client.organisation.updateMember.mutate({ member_id: id, confirm_address: true }),
    onSuccess: async ({ name }) => {
      toast.done(`The address of ${name} is confirmed`);
      await refresh();
    },
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
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: ({ id }: Member) => client.organisation.endSessions.mutate({ member_id: id }),
    onSuccess: ({ ended }, { name }) => {
      toast.done(`${counted(ended, 'session')} of ${name} ended`);
      return queryClient.invalidateQueries(api.organisation.listSessions.pathFilter());
    },
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
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ id }: Member) => client.organisation.removeMember.mutate({ member_id: id }),
    onSuccess: async (_, { name }) => {
      toast.done(`${name} was removed`);
      await queryClient.invalidateQueries(api.organisation.pathFilter());
    },
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
