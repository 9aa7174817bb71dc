import type { RequestHandler } from 'express';
import express, { Router } from 'express';
import { decodeJwt, jwtVerify } from 'jose';
import * as z from 'zod';
import { beginNewcomer } from '../../shared/limits/event-loop.js';
import { networkOf } from '../../shared/limits/network.js';
import { type RequestOrigin, recordAudit } from '../audit/record-audit.js';
import { algorithms } from '../auth/issuer-tokens.js';
import type { Transaction } from '../db/database.js';
import { originOf } from '../http/address.js';
import type { Client } from './clients.js';
import { clientColumns, type OpenId } from './openid.js';

/** Clients of one issuer that one token may be for, at most. */
const maxClients = 20;

const form = z.object({ logout_token: z.string().max(20_000) });

const event = 'http://schemas.openid.net/event/backchannel-logout';

/** What a token must say to end sessions (OpenID Connect Back-Channel Logout 1.0, 2.4). An ID token, which has a nonce, ends none. */
const claims = z.object({
  sub: z.string(),
  events: z.object({ [event]: z.record(z.string(), z.unknown()) }),
  nonce: z.undefined().optional(),
});

const addressed = z.object({ iss: z.string(), aud: z.union([z.string(), z.array(z.string())]) });

/**
 * `POST` of an issuer, whose person has signed out there or was locked out: all sessions end that this person has begun at it. Only
 * issuers that say whom they mean (`sub`) are understood; single sessions of theirs (`sid`) are not kept.
 */
export function backChannelLogout(openId: OpenId): Router {
  const answer: RequestHandler = async (req, res) => {
    const origin = originOf(req, res);
    await beginNewcomer(networkOf(origin.ip));
    const { data } = form.safeParse(req.body);
    const ended = data !== undefined && (await endBy(openId, data.logout_token, origin));
    if (ended) res.status(200).end();
    else res.status(400).json({ error: 'invalid_request' });
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/api/session/back-channel-logout', express.urlencoded({ extended: false, limit: '32kb' }), answer);
  return router;
}

/** False where the token is not good, or the issuer's keys cannot be had. */
async function endBy(openId: OpenId, token: string, origin: RequestOrigin): Promise<boolean> {
  let isGood = false;
  for (const client of await clientsOf(openId, token)) {
    try {
      const { keys } = await openId.clients.of(client);
      const { issuer, clientId: audience } = client;
      const required = ['iat', 'jti', 'exp'];
      const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms, requiredClaims: required });
      const { data } = claims.safeParse(payload);
      if (data === undefined) continue;
      await openId.system((tx) => endSessionsOf(tx, client, data.sub, origin));
      // Another organisation may have bound the same client.
      isGood = true;
    } catch {
      // For another client, or forged.
    }
  }
  return isGood;
}

/** The clients that an unread token claims to be for. */
async function clientsOf({ instance, system, clientOf }: OpenId, token: string): Promise<Client[]> {
  const { data } = addressed.safeParse(claimed(token));
  if (data === undefined) return [];
  const audiences = [data.aud].flat();
  const rows =
    audiences.length === 0
      ? []
      : await system((tx) =>
          tx
            .selectFrom('issuers')
            .select(clientColumns)
            .where('issuer', '=', data.iss)
            .where('client_id', 'in', audiences)
            .limit(maxClients)
            .execute(),
        );
  const own = rows.flatMap((row) => clientOf(row) ?? []);
  const isInstance = instance?.issuer === data.iss && audiences.includes(instance.clientId);
  return isInstance ? [instance, ...own] : own;
}

function claimed(token: string): unknown {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/** Of a client of an organisation, its own sessions alone. */
async function endSessionsOf(
  tx: Transaction,
  { issuer, organisationId }: Client,
  subject: string,
  origin: RequestOrigin,
): Promise<void> {
  let identities = tx
    .selectFrom('identities as i')
    .innerJoin('issuers as b', (join) =>
      join.onRef('b.organisation_id', '=', 'i.organisation_id').onRef('b.issuer', '=', 'i.issuer'),
    )
    .select(['i.organisation_id', 'i.id', 'i.member_id'])
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject);
  identities =
    organisationId === null
      ? identities.where('b.client_id', 'is', null)
      : identities.where('i.organisation_id', '=', organisationId);
  for (const { organisation_id, id, member_id } of await identities.execute()) {
    const { numDeletedRows } = await tx
      .deleteFrom('sessions')
      .where('organisation_id', '=', organisation_id)
      .where('identity_id', '=', id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) continue;
    await recordAudit(
      tx,
      { organisationId: organisation_id, actor: { kind: 'system', id: 'issuer', name: issuer }, ...origin },
      {
        action: 'session.end_others',
        target: { kind: 'member', id: member_id },
        after: { ended: Number(numDeletedRows) },
      },
    );
  }
}
