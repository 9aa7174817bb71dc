import { sql } from 'kysely';
import type { Context, Handlers } from '../api/handler.js';
import { byId } from '../db/scope.js';
import { ApiError, conflict, invalidField } from '../http/api-error.js';
import { addressProof } from '../mail/address-proof.js';
import { queueLink } from '../mail/queue-link.js';
import { oneMember } from '../organisations/members.js';

const dayMs = 24 * 60 * 60 * 1_000;

/** Sends a link to the member's own address. */
export function proveAddressWith(canMail: boolean): Handlers['session']['proveAddress'] {
  return async (ctx) => {
    if (!canMail) throw conflict('no_mail');
    const { tx, organisationId, now, caller, audit } = ctx;
    const email = await addressOf(ctx);
    await queueLink(tx, { organisationId, event: 'address_proof', to: { member_id: caller.id }, email, now });
    await audit({ action: 'address_proof.create', target: { kind: 'member', id: caller.id }, after: { email } });
    return { mailed_to: email };
  };
}

/**
 * The address is the member's: whoever confirms has the link, so reads mail there, and is signed in as the member. One of the two alone
 * would not do: a stranger who opens the link must not lend the address to who made the account.
 */
export const confirmAddress: Handlers['session']['confirmAddress'] = async (ctx, { token }) => {
  const { tx, organisationId, now, caller, audit } = ctx;
  const proof = addressProof(token, await addressOf(ctx));
  await tx
    .updateTable('webhook_deliveries')
    .set({ payload: '{}' })
    .where('organisation_id', '=', organisationId)
    .where('member_id', '=', caller.id)
    .where('event', '=', 'address_proof')
    .where(sql<boolean>`payload @> ${JSON.stringify(proof)}::jsonb`)
    .where('attempted_at', '>', new Date(now.getTime() - dayMs))
    .returning('id')
    .executeTakeFirstOrThrow(() => invalidField('token', 'proof_invalid'));
  await tx.updateTable('members').set({ proven_by: 'mail' }).where(byId(organisationId, caller.id)).execute();
  await audit({
    action: 'address_proof.confirm',
    target: { kind: 'member', id: caller.id },
    after: { email: proof.email, proven_by: 'mail' },
  });
  return oneMember(tx, { organisation_id: organisationId, member_id: caller.id });
};

async function addressOf({ tx, organisationId, caller }: Context): Promise<string> {
  const { email } = await tx
    .selectFrom('members')
    .select('email')
    .where(byId(organisationId, caller.id))
    .executeTakeFirstOrThrow(() => new ApiError('unauthenticated'));
  return email;
}
