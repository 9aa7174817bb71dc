import { api, client, type RouterOutputs, useList } from '../../api/client.js';
import { counted } from '../../components/format/format.js';

export type Member = RouterOutputs['organisation']['listMembers']['items'][number];
export type Invite = RouterOutputs['organisation']['listInvites']['items'][number];

/** What an admin has chosen to do with a member. */
export interface MemberAction {
  readonly kind: 'roles' | 'deactivate' | 'reactivate' | 'confirm_address' | 'reset' | 'end_sessions' | 'remove';
  readonly member: Member;
}

export const useMembers = () => useList(api.organisation.listMembers, client.organisation.listMembers, {});

export const useInvites = () => useList(api.organisation.listInvites, client.organisation.listInvites, {});

/** The page's answer. Admins are counted only where all members were read. */
export function answerOf(members: readonly Member[], total: number, invites: readonly Invite[] | null): string {
  const admins = members.filter(({ role, deactivated_at }) => role === 'admin' && deactivated_at === null).length;
  const some = total === 1 ? ', an admin' : `, ${counted(admins, 'of them an admin', 'of them admins')}`;
  const who = members.length === total ? some : '';
  const pending = invites?.filter(({ status }) => status === 'pending').length ?? null;
  const waiting =
    pending === null
      ? ''
      : pending === 0
        ? '; no invite is pending'
        : `; ${counted(pending, 'invite is', 'invites are')} pending`;
  return `${counted(total, 'member')}${who}${waiting}.`;
}
