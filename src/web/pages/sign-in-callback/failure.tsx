import { isPosternError } from '../../../client/index.js';
import { Refusal } from '../../components/public-page/refusal.js';
import { Failed } from '../../components/state/state.js';
import { IssuerAway } from '../sign-in/issuers.js';

/** What the reasons of the service mean for who reads them here. Others are shown as any error is. */
const words: Readonly<Record<string, readonly [string, string]>> = {
  sign_in_expired: [
    'This sign-in is over',
    'It was begun more than ten minutes ago, or was changed here. Begin again.',
  ],
  sign_in_failed: [
    'This sign-in does not fit',
    'What came back is of another sign-in, or was used before. Nobody was signed in. Begin again.',
  ],
  sign_in_denied: ['The sign-in was refused', 'You, or where your organisation signs in, have said no.'],
  no_account: ['You have no account here', 'Ask an admin of your organisation for an invite.'],
  address_unverified: [
    'Your e-mail address is not verified',
    'Where your organisation signs in, nobody has checked it: have that done, then sign in again.',
  ],
  account_unconfirmed: [
    'An account with your address is here, but nobody has shown that it is yours',
    'Sign in to it by password once, and link this sign-in under My account. Or ask an admin to confirm the address.',
  ],
  account_of_another: [
    'The account with your address belongs to another sign-in',
    'If that is an earlier one of yours, ask an admin to remove it.',
  ],
  invite_for_another: ['The invite is for another address', 'Sign in as who was invited, or ask for another invite.'],
  invite_invalid: ['This invite opens nothing any more', 'It was accepted or revoked, or is older than 7 days.'],
  unknown_issuer: ['The organisation does not sign in there', 'Accept the invite with a password, or ask its admin.'],
  identity_taken: [
    'This sign-in is taken',
    'It is linked to another account here, or your account to another sign-in.',
  ],
  issuer_not_taken: ['Your organisation does not sign in there', 'An admin adds it first, under Settings, Sign-in.'],
};

export function CallbackFailure({ error }: { readonly error: unknown }) {
  const reason = isPosternError(error)
    ? (error.data.reason ?? error.data.fields.find(({ code }) => Object.hasOwn(words, code))?.code)
    : null;
  if (reason === 'issuer_unreachable') return <IssuerAway />;
  const said = words[reason ?? ''];
  return said === undefined ? <Failed error={error} /> : <Refusal title={said[0]}>{said[1]}</Refusal>;
}
