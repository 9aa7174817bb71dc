import * as z from 'zod';
import type { Handlers, PublicContext } from '../api/handler.js';
import { type AuditEvent, recordAudit } from '../audit/record-audit.js';
import { hashSecret } from '../auth/api-key.js';
import type { Transaction } from '../db/database.js';
import { ApiError, invalidField } from '../http/api-error.js';
import { acceptByIssuer, pendingInvite } from './accept-invite.js';
import { bindingsOf, type Candidate, candidatesOf, ownerOfDomain, refusalOf } from './candidates.js';
import { enter } from './enter.js';
import { beginFlow, finishFlow, refused } from './flow.js';
import type { OpenId } from './openid.js';
import { type Person, person } from './person.js';
import { withNamedGroups } from './roles.js';

type SignIn = Pick<Handlers['session'], 'beginSignIn' | 'finishSignIn' | 'chooseOrganisation'>;

/** For a person to say which organisation is meant. */
const choiceSeconds = 300;

const choice = z.object({ person });

export function signInByIssuer(openId: OpenId): SignIn {
  const { seals, tokens } = openId;
  /** Signs in to one of a person's organisations, with its token. */
  async function begin(tx: Transaction, who: Person, candidate: Candidate, ctx: PublicContext) {
    const { memberId, session } = await enter(tx, who, candidate, ctx);
    const token = await tokens.sign({ id: session.id, memberId, expiresAt: session.expires_at });
    return { token, expires_at: session.expires_at };
  }

  return {
    async beginSignIn(_ctx, { issuer, invite_token }) {
      const client = await openId.clientWith(issuer);
      if (client === undefined) throw invalidField('issuer', 'unknown_issuer');
      return beginFlow(openId, client, invite_token === undefined ? null : hashSecret(invite_token));
    },

    async finishSignIn(ctx, { flow, callback }) {
      const { person: who, invite } = await finishFlow(openId, flow, callback);
      const refuse = auditedRefusal(ctx, who, invite);
      return refuse(() =>
        ctx.system(async (tx) => {
          const candidates =
            invite === null ? await candidatesOf(tx, who) : [await acceptByIssuer(tx, who, invite, ctx)];
          const [candidate, ...others] = candidates;
          if (candidate === undefined) throw refused(await refusalOf(tx, who));
          if (others.length === 0) return { session: await begin(tx, who, candidate, ctx), choice: null };
          const bindings = candidates.map(({ binding }) => binding);
          const kept = withNamedGroups(who, bindings);
          return {
            session: null,
            choice: {
              organisations: bindings.map(({ organisation_id: id, organisation_name: name }) => ({ id, name })),
              proof: await seals.seal('choice', { person: kept }, choiceSeconds),
            },
          };
        }),
      );
    },

    async chooseOrganisation(ctx, { proof, organisation }) {
      const opened = await seals.open('choice', choice, proof);
      if (opened === undefined) throw invalidField('proof', 'sign_in_expired');
      const { person: who } = opened;
      return auditedRefusal(
        ctx,
        who,
        null,
      )(() =>
        ctx.system(async (tx) => {
          const candidates = await candidatesOf(tx, who);
          const chosen = candidates.find(({ binding }) => binding.organisation_id === organisation);
          if (chosen === undefined) throw refused('no_account');
          return begin(tx, who, chosen, ctx);
        }),
      );
    },
  };
}

/** Leaves a refusal in the audit log of the organisation that it is about, where that is known: its client, its invite or its domain. */
function auditedRefusal({ system, now, ip, device, requestId }: PublicContext, who: Person, invite: Buffer | null) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthenticated') throw error;
      const { reason } = error.details;
      await system(async (tx) => {
        const invited = invite === null ? undefined : (await pendingInvite(tx, invite, now))?.organisation_id;
        const about = who.client.organisationId ?? invited ?? (await ownerOfDomain(tx, who));
        const [binding] = await bindingsOf(tx, who, about === undefined ? [] : [about]);
        if (binding === undefined) return;
        const { issuer, subject, email } = who;
        const actor = { kind: 'system', id: 'issuer', name: issuer } as const;
        const after = { subject, email, reason };
        const event: AuditEvent = { action: 'session.refuse', target: { kind: 'issuer', id: binding.id }, after };
        await recordAudit(tx, { organisationId: binding.organisation_id, actor, ip, device, requestId }, event);
      });
      throw error;
    }
  };
}
