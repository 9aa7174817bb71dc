import { keysOf } from '../../../shared/schema/unwrap.js';
import { api, client, useChange } from '../../api/client.js';
import { ConfirmAction, FormDialog } from '../../components/dialog/dialog.js';
import { counted } from '../../components/format/format.js';
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
      <ResetLink member={of('reset')} onClose={onClose} />
      {keysOf(confirmations).map((kind) => (
        <ConfirmAction
          key={kind}
          {...confirmations[kind]}
          target={of(kind)}
          onClose={onClose}
          done={(words) => words}
        />
      ))}
    </>
  );
}

/** Members are shown in lists, and the reader may have changed what is the reader's own. */
const shown = [api.organisation.listMembers.pathFilter(), { queryKey: ['session'] }];

function ChangeRoles({ member, onClose }: { readonly member: Member | null; readonly onClose: () => void }) {
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

interface Confirmation {
  readonly title: (member: Member) => string;
  readonly description: (member: Member) => string;
  readonly action: string;
  readonly look?: 'primary';
  /** Answers what was done. */
  readonly send: (member: Member) => Promise<string>;
  readonly stale: typeof shown;
}

const { updateMember, endSessions, removeMember } = client.organisation;

const confirmations: Readonly<Record<Exclude<MemberAction['kind'], 'roles' | 'reset'>, Confirmation>> = {
  deactivate: {
    title: ({ name }) => `Deactivate ${name}?`,
    description: () =>
      'This person is signed out everywhere at once and cannot come in. Roles stay, for when you reactivate. API keys that this person made go on working.',
    action: 'Deactivate',
    send: async ({ id, name }) => {
      await updateMember.mutate({ member_id: id, deactivated: true });
      return `${name} is deactivated`;
    },
    stale: shown,
  },
  reactivate: {
    title: ({ name }) => `Reactivate ${name}?`,
    description: () => 'This person can sign in again, with the roles of before.',
    action: 'Reactivate',
    look: 'primary',
    send: async ({ id, name }) => {
      await updateMember.mutate({ member_id: id, deactivated: false });
      return `${name} can sign in again`;
    },
    stale: shown,
  },
  confirm_address: {
    title: ({ name }) => `Confirm the address of ${name}?`,
    description: ({ email }) =>
      `You say that ${email} is this person’s: whoever signs in with it elsewhere is this member then. Only addresses of a domain that is proven to be your organisation’s can be confirmed.`,
    action: 'Confirm',
    look: 'primary',
    send: async ({ id, name }) => {
      await updateMember.mutate({ member_id: id, confirm_address: true });
      return `The address of ${name} is confirmed`;
    },
    stale: shown,
  },
  end_sessions: {
    title: ({ name }) => `End the sessions of ${name}?`,
    description: () => 'Whoever uses one of them is asked to sign in again at the next click. This session goes on.',
    action: 'End sessions',
    send: async ({ id, name }) => {
      const { ended } = await endSessions.mutate({ member_id: id });
      return `${counted(ended, 'session')} of ${name} ended`;
    },
    stale: [api.organisation.listSessions.pathFilter()],
  },
  remove: {
    title: ({ name }) => `Remove ${name}?`,
    description: ({ email }) =>
      `${email} is signed out everywhere at once, and can come back only by a new invite. What was done stays in the audit log; API keys that this person made go on working.`,
    action: 'Remove',
    send: async ({ id, name }) => {
      await removeMember.mutate({ member_id: id });
      return `${name} was removed`;
    },
    stale: [api.organisation.pathFilter()],
  },
};
