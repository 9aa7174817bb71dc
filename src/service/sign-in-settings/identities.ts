import type { Context, Handlers } from '../api/handler.js';
import { keepIdentity } from '../auth/accounts.js';
import { signedIn } from '../auth/caller.js';
import type { IssuerTokens, Proof } from '../auth/issuer-tokens.js';
import { byId } from '../db/scope.js';
import { conflict, invalidField, notFound } from '../http/api-error.js';

type IdentityHandlers = Pick<Handlers['signIn'], 'listIdentities' | 'link' | 'unlink'>;

const identityColumns = ['id', 'issuer', 'subject', 'created_at'] as const;

/** @param issuerTokens of the server's issuer; null: there is none */
export function identityHandlers(issuerTokens: IssuerTokens | null): IdentityHandlers {
  return {
    async listIdentities({ tx, organisationId, caller }) {
      const own = tx
        .selectFrom('identities')
        .where('organisation_id', '=', organisationId)
        .where('member_id', '=', caller.id);
      return { items: await own.select(identityColumns).orderBy('created_at').orderBy('id').execute() };
    },

    /** Who holds both the session and the token is both persons: so an address plays no part. */
    async link({ caller, organisationId, step }, { token }) {
      const { id: memberId } = signedIn(caller);
      await issuerTokens?.prepare(token);
      const holder = (await issuerTokens?.read(token, 'api')) ?? (await issuerTokens?.read(token, 'mcp'));
      if (holder === undefined) throw invalidField('token', 'not_of_issuer');
      return step(async (ctx) => {
        const taken = await ctx.tx
          .selectFrom('issuers')
          .select('id')
          .where('organisation_id', '=', organisationId)
          .where('issuer', '=', holder.issuer)
          .executeTakeFirst();
        if (taken === undefined) throw invalidField('token', 'issuer_not_taken');
        return linkIdentity(ctx, memberId, holder);
      });
    },

    async unlink({ tx, organisationId, caller, audit }, { identity_id }) {
      signedIn(caller);
      const before = await tx
        .deleteFrom('identities')
        .where(byId(organisationId, identity_id))
        .where('member_id', '=', caller.id)
        .returning(['issuer', 'subject'])
        .executeTakeFirstOrThrow(() => notFound('identity'));
      await audit({ action: 'identity.unlink', target: { kind: 'identity', id: identity_id }, before });
      return { id: identity_id, deleted: true };
    },
  };
}

/** From now on a person of an issuer that the organisation takes is this member. */
export async function linkIdentity({ tx, organisationId, audit }: Context, memberId: string, proof: Proof) {
  const id = await keepIdentity(tx, { organisationId, memberId }, proof);
  if (id === undefined) throw conflict('identity_taken');
  const { issuer, subject, email } = proof;
  await tx
    .updateTable('members')
    .set({ proven_by: 'issuer' })
    .where(byId(organisationId, memberId))
    .where('proven_by', 'is', null)
    .where('email', '=', email)
    .execute();
  await audit({ action: 'identity.link', target: { kind: 'identity', id }, after: { issuer, subject } });
  const row = await tx
    .selectFrom('identities')
    .select(identityColumns)
    .where(byId(organisationId, id))
    .executeTakeFirstOrThrow();
  return row;
}
