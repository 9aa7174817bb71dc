import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { isPosternError, type PosternError } from '../../../client/index.js';
import { enter } from '../../api/sign-in.js';
import { SendForm, Submit, TextField, textOf } from '../../components/field/field.js';
import { PublicNote, PublicPage, Refusal } from '../../components/public-page/public-page.js';
import styles from './page.module.css';
import { ChooseOrganisation, IssuerButtons, signInOptions } from './ways.js';

const route = getRouteApi('/sign-in');

const afters = {
  reset: 'Your new password is set, and all sessions have ended. Sign in with it.',
  invite: 'You are a member now. Sign in with your e-mail address and the password that you have chosen.',
} as const;

export default function SignInPage() {
  const { to = '/', ended = false, after } = route.useSearch();
  const router = useRouter();
  /** As typed so far: its domain may have an issuer of its own. */
  const [email, setEmail] = useState('');
  const { data: options } = useQuery(signInOptions({ email }));
  // In place of this page: going back from there must not lead here.
  const goOn = () => router.history.replace(to);
  const signIn = useMutation({ mutationFn: enter, onSuccess: goOn });
  const { error, variables } = signIn;
  const known = isPosternError(error) ? error : null;
  if (known?.data.reason === 'several_organisations' && variables !== undefined) {
    const choose = (organisation: string) => enter({ ...variables, organisation });
    return (
      <PublicPage title="Sign in to Postern">
        <ChooseOrganisation organisations={known.data.likely} onChoose={choose} onDone={goOn} />
      </PublicPage>
    );
  }
  const refusal = known !== null && ['unauthenticated', 'rate_limited'].includes(known.data.failure) ? known : null;
  return (
    <PublicPage title="Sign in to Postern">
      {after !== undefined && <p role="status">{afters[after]}</p>}
      {after === undefined && ended && <p role="status">Your session has ended. Sign in to go on where you were.</p>}
      {options !== undefined && options.issuers.length > 0 && (
        <>
          <IssuerButtons issuers={options.issuers} to={to} />
          <p className={styles.or}>or</p>
        </>
      )}
      <SendForm
        onSend={(values) => signIn.mutate({ email: textOf(values, 'email'), password: textOf(values, 'password') })}
        error={refusal === null ? error : null}
      >
        {refusal !== null && <SignInFailure key={signIn.submittedAt} error={refusal} />}
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          autoFocus
          onBlur={(event) => setEmail(event.currentTarget.value)}
        />
        {options?.password === false && (
          <p role="status">Your organisation signs in above. A password is only for its break-glass admin.</p>
        )}
        <TextField name="password" label="Password" type="password" autoComplete="current-password" required />
        <Submit busy={signIn.isPending}>Sign in</Submit>
      </SendForm>
      <PublicNote>Forgot it? An admin of your organisation can give you a link to set a new one.</PublicNote>
    </PublicPage>
  );
}

/** Why nobody was signed in, where the form's own words are clearer than those for any error. */
function SignInFailure({ error }: { readonly error: PosternError }) {
  const { failure, retryAfterSeconds } = error.data;
  if (failure === 'rate_limited') {
    return (
      <Refusal title="Too many tries">
        {retryAfterSeconds === null ? 'Wait a while, then try again.' : <TryAgainAt seconds={retryAfterSeconds} />}{' '}
        Until then a right password is refused too.
      </Refusal>
    );
  }
  return (
    <Refusal title="E-mail or password is wrong">
      Which of the two is not said, so that nobody can find out who has an account.
    </Refusal>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

function TryAgainAt({ seconds }: { readonly seconds: number }) {
  const [at] = useState(() => new Date(Date.now() + seconds * 1_000));
  return <>Try again at {clock.format(at)}.</>;
}
