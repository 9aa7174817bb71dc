import { buildEndSessionUrl } from 'openid-client';
import type { Handlers } from '../api/handler.js';
import { signedIn } from '../auth/caller.js';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { type Client, instanceId } from './clients.js';
import { clientColumns, type OpenId } from './openid.js';

/** Signs out, at the issuer too where it has a page for that (OpenID Connect RP-Initiated Logout 1.0). */
export function endSession(openId: OpenId): Handlers['session']['end'] {
  return async ({ caller, organisationId, step }) => {
    const { sessionId } = signedIn(caller);
    const binding = await step(async ({ tx, audit }) => {
      const found = await bindingOf(tx, organisationId, sessionId);
      await tx.deleteFrom('sessions').where(byId(organisationId, sessionId)).execute();
      await audit({ action: 'session.end', target: { kind: 'session', id: sessionId } });
      return found;
    });
    const isInstance = binding?.client_id === null;
    const client = binding && (isInstance ? await openId.clientWith(instanceId) : openId.clientOf(binding));
    return { ended: true, logout_url: client?.issuer === binding?.issuer ? await logoutUrl(openId, client) : null };
  };
}

/** The binding of the issuer at which a session began; undefined for one by password. */
async function bindingOf(tx: Transaction, organisationId: string, sessionId: string) {
  const binding = await tx
    .selectFrom('sessions as s')
    .innerJoin('identities as i', (join) =>
      join.onRef('i.organisation_id', '=', 's.organisation_id').onRef('i.id', '=', 's.identity_id'),
    )
    .innerJoin('issuers', (join) =>
      join.onRef('issuers.organisation_id', '=', 's.organisation_id').onRef('issuers.issuer', '=', 'i.issuer'),
    )
    .select(clientColumns.map((column) => `issuers.${column}` as const))
    .where('s.organisation_id', '=', organisationId)
    .where('s.id', '=', sessionId)
    .executeTakeFirst();
  return binding;
}

/** The issuer's page, which comes back to ours; null where it has none, or cannot be asked: the session here has ended all the same. */
async function logoutUrl(openId: OpenId, client: Client | undefined): Promise<string | null> {
  if (client === undefined || !openId.isUsable) return null;
  try {
    const { config } = await openId.clients.of(client);
    if (config.serverMetadata().end_session_endpoint === undefined) return null;
    return buildEndSessionUrl(config, { post_logout_redirect_uri: openId.signedOutUri() }).href;
  } catch {
    return null;
  }
}
