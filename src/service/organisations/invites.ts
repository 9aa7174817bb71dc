import { sql } from 'kysely';
import type { Context, Handlers } from '../api/handler.js';
import { newLinkToken } from '../auth/link-token.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { conflict, notFound } from '../http/api-error.js';
import { key, type List } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import { requireRoom } from '../limits/require-room.js';
import { queueLink } from '../mail/queue-link.js';
import { namedGroups } from './member-groups.js';

type OrganisationHandlers = Handlers['organisation'];

const day = 24 * 60 * 60 * 1000;
const validMs = 7 * day;
const acceptedShownMs = 30 * day;

const inviteColumns = [
  'id',
  'email',
  'role',
  'invited_by',
  'created_at',
  'expires_at',
  'accepted_at',
  'revoked_at',
] as const;

/** How the mail with its link fares; null where none was sent. */
const delivery = sql<'pending' | 'sent' | 'failed' | null>`(
  select case mail.status when 'delivered' then 'sent' when 'failed' then 'failed' else 'pending' end
  from webhook_deliveries as mail
  where mail.organisation_id = invites.organisation_id and mail.invite_id = invites.id
)`.as('delivery');

interface InviteTimes {
  readonly expires_at: Date;
  readonly accepted_at: Date | null;
  readonly revoked_at: Date | null;
}

/** The first event decides: an invite that was accepted does not expire. */
export function inviteStatus({ expires_at, accepted_at, revoked_at }: InviteTimes, now: Date) {
  if (accepted_at !== null) return 'accepted';
  if (revoked_at !== null) return 'revoked';
  return expires_at > now ? 'pending' : 'expired';
}

function toInvite<Row extends InviteTimes>({ revoked_at, ...row }: Row, now: Date) {
  return { ...row, status: inviteStatus({ ...row, revoked_at }, now) } as const;
}

const newest: List = {
  keys: [key('created_at', 'timestamptz', 'desc'), key('id', 'text')],
  appeared: sql`created_at`,
};

export const listInvites: OrganisationHandlers['listInvites'] = async (ctx, input) => {
  const { tx, organisationId, now } = ctx;
  const invites = tx
    .selectFrom('invites')
    .where('organisation_id', '=', organisationId)
    .where('revoked_at', 'is', null)
    .where((e) =>
      e.or([
        e.and([e('accepted_at', 'is', null), e('expires_at', '>', now)]),
        e('accepted_at', '>', new Date(now.getTime() - acceptedShownMs)),
      ]),
    );
  const page = await loadPage(ctx, newest, input, invites.select([...inviteColumns, delivery]));
  return { ...page, items: page.items.map((row) => toInvite(row, now)) };
};

/** @param mailed the link goes to the invited address, and nobody else gets a token; else the token is answered */
export function createInviteWith(mailed: boolean): OrganisationHandlers['createInvite'] {
  return async (ctx, { email, role, groups: given }) => {
    const { tx, organisationId, now, caller } = ctx;
    await requireInvitable(ctx, email);
    await requireRoom(tx, organisationId, 'members');
    const groups = (await namedGroups(ctx, given)).map((group) => ({ group_id: group.id, role: group.role }));
    const id = newId('inv');
    const { token, hash } = newLinkToken('invite');
    const row = await tx
      .insertInto('invites')
      .values({
        organisation_id: organisationId,
        id,
        email,
        role,
        groups: JSON.stringify(groups),
        token_hash: hash,
        mailed,
        invited_by: caller.name,
        created_at: now,
        expires_at: new Date(now.getTime() + validMs),
      })
      .returning(inviteColumns)
      .executeTakeFirstOrThrow();
    if (mailed) await queueLink(tx, { organisationId, event: 'invite', to: { invite_id: id }, email, now });
    await ctx.audit({
      action: 'invite.create',
      target: { kind: 'invite', id },
      after: { email, role, groups, mailed },
    });
    const invite = { ...toInvite(row, now), delivery: mailed ? ('pending' as const) : null };
    return { invite, token: mailed ? null : token, mailed };
  };
}

/**
 * Rejects an address that has a pending invite, or is a member's. The organisation's row is locked, so that of two requests
 * at the same time the second sees the first's invite. Whether the address is a member's of another organisation
 * shows nowhere.
 */
async function requireInvitable({ tx, organisationId, now }: Context, email: string): Promise<void> {
  await tx.selectFrom('organisations').select('id').where('id', '=', organisationId).forNoKeyUpdate().execute();
  const member = await tx
    .selectFrom('members')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('email', '=', email)
    .executeTakeFirst();
  if (member !== undefined) throw conflict('already_member');
  const pending = await tx
    .selectFrom('invites')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (pending !== undefined) throw conflict('already_invited');
}

export const revokeInvite: OrganisationHandlers['revokeInvite'] = async (ctx, { invite_id }) => {
  const revoked = await ctx.tx
    .updateTable('invites')
    .set({ revoked_at: ctx.now })
    .where(byId(ctx.organisationId, invite_id))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', ctx.now)
    .returning(['email', 'role'])
    .executeTakeFirstOrThrow(() => notFound('invite'));
  await ctx.audit({ action: 'invite.revoke', target: { kind: 'invite', id: invite_id }, before: revoked });
  return { id: invite_id, deleted: true };
};
