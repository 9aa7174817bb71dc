import type { Handlers } from '../api/handler.js';
import { signedIn } from '../auth/caller.js';
import { invalidField } from '../http/api-error.js';
import { linkIdentity } from '../sign-in-settings/identities.js';
import { bindingsOf } from './candidates.js';
import { endSession } from './end-session.js';
import { finishFlow } from './flow.js';
import type { OpenId } from './openid.js';
import { signInOptions } from './options.js';
import { ownOrganisations } from './own-organisations.js';
import { signInByIssuer } from './sign-in.js';

/** What issuers have to do with in the group `session`. */
export function openIdHandlers(openId: OpenId) {
  return {
    signInOptions: signInOptions(openId),
    ...signInByIssuer(openId),
    ...ownOrganisations(openId),
    end: endSession(openId),
  };
}

/** A member links a person who has signed in at an issuer just now, in the same browser. So an address plays no part. */
export function finishLink(openId: OpenId): Handlers['signIn']['finishLink'] {
  return async ({ caller, organisationId, step }, { flow, callback }) => {
    const { id: memberId } = signedIn(caller);
    const { person } = await finishFlow(openId, flow, callback);
    return step(async (ctx) => {
      const [binding] = await bindingsOf(ctx.tx, person, [organisationId]);
      if (binding === undefined) throw invalidField('flow', 'issuer_not_taken');
      return linkIdentity(ctx, memberId, person);
    });
  };
}
