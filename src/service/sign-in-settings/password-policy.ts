import type { Context, Handlers } from '../api/handler.js';
import { byId } from '../db/scope.js';
import { invalidField, notFound } from '../http/api-error.js';

type SignIn = Handlers['signIn'];

export const getPasswordPolicy: SignIn['getPasswordPolicy'] = async ({ tx, organisationId }) => {
  const row = await tx
    .selectFrom('organisations as o')
    .leftJoin('members as m', (join) =>
      join.onRef('m.organisation_id', '=', 'o.id').onRef('m.id', '=', 'o.break_glass_id'),
    )
    .select(['o.password_sign_in', 'm.id', 'm.name'])
    .where('o.id', '=', organisationId)
    .executeTakeFirstOrThrow(() => notFound('organisation'));
  const { password_sign_in, id, name } = row;
  return { password_sign_in, break_glass: id === null || name === null ? null : { id, name } };
};

export const setPasswordPolicy: SignIn['setPasswordPolicy'] = async (ctx, input) => {
  const { tx, organisationId, audit } = ctx;
  const { password_sign_in, break_glass_member_id } = input;
  const breakGlass = password_sign_in ? null : await breakGlassOf(ctx, break_glass_member_id);
  const before = await tx
    .selectFrom('organisations')
    .select(['password_sign_in', 'break_glass_id'])
    .where('id', '=', organisationId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('organisation'));
  const after = { password_sign_in, break_glass_id: breakGlass };
  await tx.updateTable('organisations').set(after).where('id', '=', organisationId).execute();
  const ended = password_sign_in ? 0 : await endPasswordSessions(ctx, breakGlass);
  const target = { kind: 'organisation', id: organisationId };
  await audit({ action: 'password_policy.update', target, before, after: { ...after, ended_sessions: ended } });
  return getPasswordPolicy(ctx, {});
};

/** An active admin with a password, whose row is locked. Nobody is shut out: there must be an issuer to sign in by. */
async function breakGlassOf({ tx, organisationId }: Context, memberId: string | undefined): Promise<string> {
  const issuer = await tx
    .selectFrom('issuers')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .limit(1)
    .executeTakeFirst();
  if (issuer === undefined) throw invalidField('password_sign_in', 'needs_issuer');
  const { id } = await tx
    .selectFrom('members')
    .select('id')
    .where(byId(organisationId, memberId ?? ''))
    .where('role', '=', 'admin')
    .where('deactivated_at', 'is', null)
    .where('password_hash', 'is not', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => invalidField('break_glass_member_id', 'needs_break_glass'));
  return id;
}

/** Sessions by password end, but the break-glass admin's and the one that asks. */
async function endPasswordSessions({ tx, organisationId, caller }: Context, breakGlass: string | null) {
  const own = caller.kind === 'member' ? caller.sessionId : null;
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('organisation_id', '=', organisationId)
    .where('identity_id', 'is', null)
    .where('member_id', '<>', breakGlass ?? '')
    .where('id', '<>', own ?? '')
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
