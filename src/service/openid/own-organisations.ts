import type { Handlers } from '../api/handler.js';
import { type AuditEvent, recordAudit } from '../audit/record-audit.js';
import { accountsOf } from '../auth/accounts.js';
import { actorOf, signedIn } from '../auth/caller.js';
import type { Proof } from '../auth/issuer-tokens.js';
import type { Transaction } from '../db/database.js';
import { byId } from '../db/scope.js';
import { ApiError, conflict } from '../http/api-error.js';
import { beginSession } from '../sessions/sign-in.js';
import type { OpenId } from './openid.js';

type Session = Handlers['session'];

/**
 * The switch between a person's organisations: only by a sign-in at the server's issuer, by the server's client, and to accounts that this
 * very person has signed in to before. A password is an organisation's: its admin can set a member's, and must not reach what else is
 * this person's.
 */
export function ownOrganisations(openId: OpenId): Pick<Session, 'listOrganisations' | 'switchOrganisation'> {
  const { system, instance, tokens } = openId;
  return {
    async listOrganisations({ caller, organisationId, step }) {
      const { sessionId } = signedIn(caller);
      const here = await step(({ tx }) =>
        tx.selectFrom('organisations').select(['id', 'name']).where('id', '=', organisationId).execute(),
      );
      const accounts = await system(async (tx) => {
        const proof = await proofOf(tx, { organisationId, sessionId, issuer: instance?.issuer });
        return proof === undefined ? [] : accountsByIdentity(tx, proof);
      });
      const all = accounts.map(({ organisationId: id, organisationName: name }) => ({ id, name }));
      return { items: all.length > 0 ? all : here };
    },

    async switchOrganisation({ caller, organisationId, now, ip, device, requestId }, { organisation }) {
      const { sessionId } = signedIn(caller);
      const origin = { now, ip, device, requestId };
      const { memberId, session } = await system(async (tx) => {
        const proof = await proofOf(tx, { organisationId, sessionId, issuer: instance?.issuer });
        const accounts = proof === undefined ? [] : await accountsByIdentity(tx, proof);
        const account = accounts.find((each) => each.organisationId === organisation);
        if (account === undefined || organisation === organisationId) throw conflict('cannot_switch');
        const member = await tx
          .selectFrom('members')
          .select(['organisation_id', 'id', 'name'])
          .where(byId(organisation, account.memberId))
          .where('deactivated_at', 'is', null)
          .forShare()
          .executeTakeFirstOrThrow(() => conflict('cannot_switch'));
        await tx
          .deleteFrom('sessions')
          .where(byId(organisationId, sessionId))
          .returning('id')
          // Ended after the credential was checked.
          .executeTakeFirstOrThrow(() => new ApiError('unauthenticated'));
        const actor = actorOf(caller);
        const event: AuditEvent = { action: 'session.end', target: { kind: 'session', id: sessionId } };
        await recordAudit(tx, { organisationId, actor, ip, device, requestId }, event);
        const identity = { id: account.identityId, issuer: account.issuer };
        return { memberId: member.id, session: await beginSession(tx, { ...member, identity }, origin) };
      });
      const token = await tokens.sign({ id: session.id, memberId, expiresAt: session.expires_at });
      return { token, expires_at: session.expires_at };
    },
  };
}

interface SessionRef {
  readonly organisationId: string;
  readonly sessionId: string;
  /** The server's; a session by another one shows nothing to other organisations. */
  readonly issuer: string | undefined;
}

/** Who has signed in at the server's issuer, by its client; undefined where the session began otherwise. */
async function proofOf(tx: Transaction, { organisationId, sessionId, issuer }: SessionRef): Promise<Proof | undefined> {
  if (issuer === undefined) return undefined;
  const row = await tx
    .selectFrom('sessions as s')
    .innerJoin('identities as i', (join) =>
      join.onRef('i.organisation_id', '=', 's.organisation_id').onRef('i.id', '=', 's.identity_id'),
    )
    .innerJoin('issuers as b', (join) =>
      join.onRef('b.organisation_id', '=', 's.organisation_id').onRef('b.issuer', '=', 'i.issuer'),
    )
    .select('i.subject')
    .where('s.organisation_id', '=', organisationId)
    .where('s.id', '=', sessionId)
    .where('i.issuer', '=', issuer)
    .where('b.client_id', 'is', null)
    .executeTakeFirst();
  return row && { issuer, subject: row.subject, email: null };
}

/** The accounts that have this very subject, in organisations that take the issuer by the server's client. */
async function accountsByIdentity(tx: Transaction, proof: Proof) {
  const accounts = await accountsOf(tx, proof);
  if (accounts.length === 0) return [];
  const bound = await tx
    .selectFrom('issuers')
    .select('organisation_id')
    .where('issuer', '=', proof.issuer)
    .where('client_id', 'is', null)
    .where(
      'organisation_id',
      'in',
      accounts.map(({ organisationId }) => organisationId),
    )
    .execute();
  return accounts.flatMap(({ identityId, ...account }) => {
    const isBound = bound.some(({ organisation_id }) => organisation_id === account.organisationId);
    return isBound && identityId !== null ? [{ ...account, identityId, issuer: proof.issuer }] : [];
  });
}
