import type { Handlers } from '../api/handler.js';
import { newId } from '../db/ids.js';
import { byId } from '../db/scope.js';
import { conflict, invalidField, notFound, requireRevision } from '../http/api-error.js';
import type { SecretBox } from '../secrets/secret-box.js';

type SignIn = Handlers['signIn'];
type IssuerHandlers = Pick<SignIn, 'listIssuers' | 'addIssuer' | 'updateIssuer' | 'removeIssuer'>;

const issuerColumns = [
  ...(['id', 'issuer', 'client_id', 'default_role', 'joins', 'groups_claim', 'group_roles'] as const),
  ...(['created_at', 'revision'] as const),
] as const;

/** Issuers of one organisation. */
const maxIssuers = 20;

/** What the client's secret is sealed for. */
export const placeOfSecret = (id: string) => `issuers.client_secret ${id}`;

/** @param own issuers whose client is this server's own */
export function issuerHandlers(secrets: SecretBox, own: readonly string[]): IssuerHandlers {
  return {
    async listIssuers({ tx, organisationId }) {
      const rows = tx.selectFrom('issuers').where('organisation_id', '=', organisationId);
      return { items: await rows.select(issuerColumns).orderBy('created_at').orderBy('id').execute(), own: [...own] };
    },

    async addIssuer(ctx, { client_secret, client_id = null, group_roles, ...given }) {
      if ((client_id === null) !== (client_secret === undefined)) throw invalidField('client_secret', 'other_client');
      if (client_id === null && !own.includes(given.issuer)) throw invalidField('client_id', 'other_client');
      const known = ctx.tx.selectFrom('issuers').where('organisation_id', '=', ctx.organisationId);
      if ((await known.select('id').limit(maxIssuers).execute()).length >= maxIssuers)
        throw invalidField('issuer', 'too_many_issuers');
      const id = newId('iss');
      const row = await ctx.tx
        .insertInto('issuers')
        .values({
          ...{ organisation_id: ctx.organisationId, id, ...given, client_id },
          client_secret: client_secret === undefined ? null : secrets.seal(client_secret, placeOfSecret(id)),
          group_roles: JSON.stringify(group_roles),
        })
        .onConflict((known) => known.columns(['organisation_id', 'issuer']).doNothing())
        .returning(issuerColumns)
        .executeTakeFirstOrThrow(() => conflict('issuer_known'));
      await ctx.audit({
        action: 'issuer.add',
        target: { kind: 'issuer', id },
        after: { ...given, client_id, group_roles },
      });
      return row;
    },

    async updateIssuer(ctx, { issuer_id, expected_revision, client_secret, group_roles, ...changes }) {
      const { tx, organisationId } = ctx;
      const before = await tx
        .selectFrom('issuers')
        .select(issuerColumns)
        .where(byId(organisationId, issuer_id))
        .forUpdate()
        .executeTakeFirstOrThrow(() => notFound('issuer'));
      requireRevision(before.revision, expected_revision);
      const hasClient = before.client_id !== null;
      if (!hasClient && (changes.client_id !== undefined || client_secret !== undefined))
        throw invalidField('client_id', 'own_client');
      const after = await tx
        .updateTable('issuers')
        .set({
          ...changes,
          ...(client_secret !== undefined && { client_secret: secrets.seal(client_secret, placeOfSecret(issuer_id)) }),
          ...(group_roles !== undefined && { group_roles: JSON.stringify(group_roles) }),
          revision: before.revision + 1,
        })
        .where(byId(organisationId, issuer_id))
        .returning(issuerColumns)
        .executeTakeFirstOrThrow();
      await ctx.audit({ action: 'issuer.update', target: { kind: 'issuer', id: issuer_id }, before, after });
      return after;
    },

    /** What its sign-ins have begun ends with it: its identities go, and with them their sessions, by their foreign keys. */
    async removeIssuer({ tx, organisationId, audit }, { issuer_id }) {
      const { issuer } = await tx
        .deleteFrom('issuers')
        .where(byId(organisationId, issuer_id))
        .returning('issuer')
        .executeTakeFirstOrThrow(() => notFound('issuer'));
      await audit({ action: 'issuer.remove', target: { kind: 'issuer', id: issuer_id }, before: { issuer } });
      return { id: issuer_id, deleted: true };
    },
  };
}
