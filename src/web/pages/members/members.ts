import type { RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { counted } from '../../components/number/number.js';

export type Member = RouterOutputs['organisation']['listMembers']['items'][number];
export type Invite = RouterOutputs['organisation']['listInvites']['items'][number];

/** What an admin has chosen to do with a member. */
export interface MemberAction {
  readonly kind: 'roles' | 'deactivate' | 'confirm_address' | 'reset' | 'end_sessions' | 'remove';
  readonly member: Member;
}

export const memberList = pages(api.organisation.listMembers, client.organisation.listMembers, {});

export const inviteList = pages(api.organisation.listInvites, client.organisation.listInvites, {});

interface Known<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** The page's answer. Admins are counted only where all members were read. */
export function answerOf(members: Known<Member>, invites: Known<Invite> | null): string {
  const admins = members.items.filter(({ role, deactivated_at }) => role === 'admin' && deactivated_at === null).length;
  const isWhole = members.items.length === members.total;
  const some = members.total === 1 ? ', an admin' : `, ${counted(admins, 'of them an admin', 'of them admins')}`;
  const who = isWhole ? some : '';
  const pending = invites?.items.filter(({ status }) => status === 'pending').length ?? null;
  const waiting =
    pending === null
      ? ''
      : pending === 0
        ? '; no invite is pending'
        : `; ${counted(pending, 'invite is', 'invites are')} pending`;
  return `${counted(members.total, 'member')}${who}${waiting}.`;
}
