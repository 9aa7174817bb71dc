import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../api/client.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { counted } from '../../components/number/number.js';
import { toast } from '../../components/toast/toast.js';
import type { Member, MemberAction } from './members.js';
import { ResetLink } from './reset-link.js';

interface MemberDialogsProps {
  readonly action: MemberAction | null;
  readonly onClose: () => void;
}

/** What was chosen in a member's menu, asked before it is done. */
export function MemberDialogs({ action, onClose }: MemberDialogsProps) {
  const of = (kind: MemberAction['kind']) => (action?.kind === kind ? action.member : null);
  return (
    <>
      <ChangeRole member={of('role')} onClose={onClose} />
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

const otherRole = ({ role }: Member) => (role === 'admin' ? 'member' : 'admin');

function ChangeRole({ member, onClose }: DialogProps) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (of: Member) => client.organisation.updateMember.mutate({ member_id: of.id, role: otherRole(of) }),
    onSuccess: async ({ name, role }) => {
      toast.done(`${name} is ${role === 'admin' ? 'an admin' : 'a member'} now`);
      await queryClient.invalidateQueries(api.organisation.listMembers.pathFilter());
      // It may have been the reader's own.
      await queryClient.invalidateQueries({ queryKey: ['session'] });
    },
  });
  return (
    <ConfirmAction
      target={member}
      onClose={onClose}
      title={({ name, role }) => (role === 'admin' ? `Make ${name} a member?` : `Make ${name} an admin?`)}
      description={({ role }) =>
        role === 'admin'
          ? 'A member works with projects, alerts and verdicts, and cannot make keys, invite or remove people, or see their sessions.'
          : 'An admin makes and revokes API keys, invites and removes people, ends their sessions, and may take this right from others.'
      }
      action="Change role"
      look="primary"
      mutation={change}
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
