import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { OrganisationChoice } from '../../../client/index.js';
import { api, client, queryClient } from '../../api/client.js';
import { type BegunSignIn, takeCallback } from '../../api/issuer-sign-in.js';
import { enterByIssuer, enterChosen } from '../../api/sign-in.js';
import { PublicNote, PublicPage } from '../../components/public-page/public-page.js';
import { Refusal } from '../../components/public-page/refusal.js';
import { ChooseOrganisation } from '../sign-in/choose-organisation.js';
import { CallbackFailure } from './failure.js';

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
export function SignInCallbackPage() {
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
