import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isPosternError, type OrganisationChoice } from '../../../client/index.js';
import { api, client, queryClient } from '../../api/client.js';
import { type BegunSignIn, enterByIssuer, enterChosen, takeCallback } from '../../api/sign-in.js';
import { Failed } from '../../components/page/page.js';
import { PublicNote, PublicPage, Refusal } from '../../components/public-page/public-page.js';
import { ChooseOrganisation, IssuerAway } from '../sign-in/ways.js';

type Taken = BegunSignIn & { readonly callback: string };

// Outside of the components, which may be made again: what the browser came back with is there once, and its code good for one use. The
// next sign-in comes with a page of its own.
let taken: Taken | null | undefined;
let finished: Promise<OrganisationChoice | null> | undefined;

/** Answers organisations to choose from, where there are several. */
async function finish({ flow, callback, purpose }: Taken): Promise<OrganisationChoice | null> {
  if (purpose === 'sign-in') return enterByIssuer(flow, callback);
  await client.signIn.finishLink.mutate({ flow, callback });
  await queryClient.invalidateQueries(api.signIn.listIdentities.pathFilter());
  return null;
}

/** Where an issuer sends the browser back to: finishes what was begun in this tab, from a page of this very origin. */
export default function SignInCallbackPage() {
  const [begun] = useState(() => {
    if (taken === undefined) taken = takeCallback();
    return taken;
  });
  const router = useRouter();
  useEffect(() => {
    // The code leaves the address, and so the history.
    router.history.replace('/sign-in/callback');
  }, [router]);
  return (
    <PublicPage title={begun?.purpose === 'link' ? 'Linking your sign-in' : 'Signing in'}>
      {begun === null ? (
        <Refusal title="No sign-in of this tab is under way">
          It was finished already, or was begun in another tab or browser. Nobody was signed in.
        </Refusal>
      ) : (
        <Finish begun={begun} />
      )}
      <PublicNote>
        <Link to="/sign-in">To the sign-in page</Link>
      </PublicNote>
    </PublicPage>
  );
}

function Finish({ begun }: { readonly begun: Taken }) {
  const { flow, to } = begun;
  const router = useRouter();
  const { data: choice, error } = useQuery({
    queryKey: ['finish sign-in', flow],
    queryFn: () => {
      finished ??= finish(begun);
      return finished;
    },
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  });
  const isDone = choice === null;
  useEffect(() => {
    if (isDone) router.history.replace(to);
  }, [isDone, router, to]);
  if (error !== null) return <CallbackFailure error={error} />;
  if (choice === undefined || choice === null) return <p role="status">One moment …</p>;
  return (
    <ChooseOrganisation
      organisations={choice.organisations}
      onChoose={(organisation) => enterChosen(choice.proof, organisation)}
      onDone={() => router.history.replace(to)}
    />
  );
}

/** The service's reasons in words for readers of the page. Others are shown as any error is. */
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

function CallbackFailure({ error }: { readonly error: unknown }) {
  const reason = isPosternError(error)
    ? (error.data.reason ?? error.data.fields.find(({ code }) => Object.hasOwn(words, code))?.code)
    : null;
  if (reason === 'issuer_unreachable') return <IssuerAway />;
  const said = words[reason ?? ''];
  return said === undefined ? <Failed error={error} /> : <Refusal title={said[0]}>{said[1]}</Refusal>;
}
