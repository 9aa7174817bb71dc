import type { Handlers } from '../api/handler.js';
import { hashSecret } from '../auth/api-key.js';
import type { Transaction } from '../db/database.js';
import { pendingInvite } from './accept-invite.js';
import { ownerOfDomain } from './candidates.js';
import { instanceId } from './clients.js';
import { clientColumns, type OpenId } from './openid.js';

/**
 * What a page to sign in at shows. It follows from the domain of the address alone, or from the invite: so it says nothing about accounts.
 * An invite is accepted by an issuer that its organisation takes; all others may also belong to organisations that take the server's.
 */
export function signInOptions(openId: OpenId): Handlers['session']['signInOptions'] {
  const { instance, clientOf, isUsable } = openId;
  return async ({ system, now }, { email, invite_token }) =>
    system(async (tx) => {
      const invite = invite_token === undefined ? undefined : await pendingInvite(tx, hashSecret(invite_token), now);
      const about = invite?.organisation_id ?? (await ownerOfDomain(tx, { email: email.trim().toLowerCase() }));
      const { password, rows } = await settingsOf(tx, about);
      const own = rows.flatMap((row) => {
        const client = clientOf(row);
        return client === undefined ? [] : [{ id: client.id, name: new URL(client.issuer).host }];
      });
      const takesInstance = rows.some(({ issuer, client_id }) => client_id === null && issuer === instance?.issuer);
      const hasInstance = instance !== null && (invite === undefined || takesInstance);
      const server = hasInstance ? [{ id: instanceId, name: new URL(instance.issuer).host }] : [];
      return { password, issuers: isUsable ? [...own, ...server] : [] };
    });
}

async function settingsOf(tx: Transaction, organisationId: string | undefined) {
  if (organisationId === undefined) return { password: true, rows: [] };
  const { password_sign_in: password } = await tx
    .selectFrom('organisations')
    .select('password_sign_in')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom('issuers')
    .select(clientColumns)
    .where('organisation_id', '=', organisationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return { password, rows };
}
