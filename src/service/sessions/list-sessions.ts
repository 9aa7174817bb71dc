import { sql } from 'kysely';
import type { Context, Handlers } from '../api/handler.js';
import { signedIn } from '../auth/caller.js';
import { endSessions } from '../auth/end-sessions.js';
import { byId, refersTo } from '../db/scope.js';
import { ApiError, notFound } from '../http/api-error.js';
import { key, type List } from '../http/list-order.js';
import { loadPage, type Paging } from '../http/page.js';

type Organisation = Handlers['organisation'];
type Session = Handlers['session'];

interface Wanted extends Paging {
  readonly member_id?: string | undefined;
}

const newest: List = {
  keys: [key('sessions.created_at', 'timestamptz', 'desc'), key('sessions.id', 'text')],
  appeared: sql`sessions.created_at`,
};

/** Sessions that have not expired. */
async function pageOfSessions(ctx: Context, { member_id, ...paging }: Wanted) {
  const { tx, organisationId, caller, now } = ctx;
  let sessions = tx
    .selectFrom('sessions')
    .innerJoin('members', (join) => join.on(refersTo('sessions.member_id', 'members')))
    .where('sessions.organisation_id', '=', organisationId)
    .where('sessions.expires_at', '>', now);
  if (member_id !== undefined) sessions = sessions.where('sessions.member_id', '=', member_id);
  const columns = ['sessions.id', 'members.id as member_id', 'members.name as member_name', 'sessions.ip'] as const;
  const rows = sessions.select(columns).select(['sessions.created_at', 'sessions.expires_at']);
  const page = await loadPage(ctx, newest, paging, rows);
  const own = caller.kind === 'member' ? caller.sessionId : null;
  const items = page.items.map(({ member_id: id, member_name: name, ...session }) => {
    return { ...session, member: { id, name }, current: session.id === own };
  });
  return { ...page, items };
}

function memberOf({ caller }: Context) {
  if (caller.kind !== 'member') throw new ApiError('forbidden');
  return caller;
}

/** Ends one session of the organisation; of one member alone, where one is given. */
async function endOne({ tx, organisationId, audit }: Context, sessionId: string, memberId?: string) {
  let session = tx.deleteFrom('sessions').where(byId(organisationId, sessionId));
  if (memberId !== undefined) session = session.where('member_id', '=', memberId);
  const { member_id } = await session.returning('member_id').executeTakeFirstOrThrow(() => notFound('session'));
  await audit({ action: 'session.end', target: { kind: 'session', id: sessionId }, before: { member_id } });
  return { id: sessionId, deleted: true } as const;
}

/** Ends all but the caller's own. */
async function endOthers(ctx: Context, memberId?: string) {
  const { sessionId: except } = signedIn(ctx.caller);
  const { tx, organisationId } = ctx;
  const ended = await endSessions(tx, { organisationId, memberId, except });
  const target =
    memberId === undefined ? { kind: 'organisation', id: organisationId } : { kind: 'member', id: memberId };
  if (ended > 0) await ctx.audit({ action: 'session.end_others', target, after: { ended } });
  return { ended };
}

export const ownSessions: Pick<Session, 'list' | 'endOne' | 'endOthers'> = {
  list: async (ctx, paging) => pageOfSessions(ctx, { ...paging, member_id: memberOf(ctx).id }),
  endOne: async (ctx, { session_id }) => endOne(ctx, session_id, signedIn(ctx.caller).id),
  endOthers: async (ctx) => endOthers(ctx, signedIn(ctx.caller).id),
};

export const sessionsOfAll: Pick<Organisation, 'listSessions' | 'endSession' | 'endSessions'> = {
  listSessions: pageOfSessions,
  endSession: async (ctx, { session_id }) => endOne(ctx, session_id),
  endSessions: async (ctx, { member_id }) => {
    if (member_id !== undefined) await requireMember(ctx, member_id);
    return endOthers(ctx, member_id);
  },
};

async function requireMember({ tx, organisationId }: Context, memberId: string): Promise<void> {
  await tx
    .selectFrom('members')
    .select('id')
    .where(byId(organisationId, memberId))
    .executeTakeFirstOrThrow(() => notFound('member'));
}
