import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client, queryClient } from '../../api/client.js';
import { type BegunSignIn, takeCallback } from '../../api/issuer-sign-in.js';
import { enterByIssuer, enterChosen } from '../../api/sign-in.js';
import { PublicNote, PublicPage } from '../../components/public-page/public-page.js';
import { Refusal } from '../../components/public-page/refusal.js';
import { ChooseOrganisation } from '../sign-in/choose-organisation.js';
import { CallbackFailure } from './failure.js';

type Taken = BegunSignIn & { readonly callback: string };

// Outside of the component: React may make it twice, and what the browser came back with is there once.
let taken: Taken | null | undefined;

/** Where an issuer sends the browser back to: finishes what was begun in this tab, from a page of this very origin. */
export function SignInCallbackPage() {
  const [begun] = useState(() => {
    taken ??= takeCallback();
    return taken;
  });
  const router = useRouter();
  useEffect(() => {
    // The code leaves the address, and so the history.
    router.history.replace('/sign-in/callback');
    return () => {
      taken = undefined;
    };
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
  const { flow, callback, to, purpose } = begun;
  const router = useRouter();
  const finish = useQuery({
    queryKey: ['finish sign-in', flow],
    queryFn: async () => {
      if (purpose === 'sign-in') return enterByIssuer(flow, callback);
      await client.signIn.finishLink.mutate({ flow, callback });
      queryClient.removeQueries({ queryKey: [['signIn', 'listIdentities']] });
      return null;
    },
    // A code is good for one use.
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  });
  const { data: choice, error } = finish;
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
