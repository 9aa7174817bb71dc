import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { isPosternError } from '../../../client/index.js';
import { enter } from '../../api/sign-in.js';
import { Button } from '../../components/button/button.js';
import { FormActions, SendForm, TextField, textOf } from '../../components/field/field.js';
import { PublicNote, PublicPage } from '../../components/public-page/public-page.js';
import { SignInFailure } from './failure.js';

const route = getRouteApi('/sign-in');

const afters = {
  reset: 'Your new password is set, and all sessions have ended. Sign in with it.',
  invite: 'You are a member now. Sign in with your e-mail address and the password that you have chosen.',
} as const;

export function SignInPage() {
  const { to = '/', ended = false, after } = route.useSearch();
  const router = useRouter();
  const signIn = useMutation({
    mutationFn: (values: FormData) => enter(textOf(values, 'email'), textOf(values, 'password')),
    // In place of this page: going back from there must not lead here.
    onSuccess: () => router.history.replace(to),
  });
  const { error } = signIn;
  const refusal =
    isPosternError(error) && ['unauthenticated', 'rate_limited'].includes(error.data.failure) ? error : null;
  return (
    <PublicPage title="Sign in to Postern">
      {after !== undefined && <p role="status">{afters[after]}</p>}
      {after === undefined && ended && <p role="status">Your session has ended. Sign in to go on where you were.</p>}
      <SendForm onSend={signIn.mutate} error={refusal === null ? error : null}>
        {refusal !== null && <SignInFailure key={signIn.submittedAt} error={refusal} />}
        <TextField name="email" label="E-mail" type="email" autoComplete="username" required autoFocus />
        <TextField name="password" label="Password" type="password" autoComplete="current-password" required />
        <FormActions>
          <Button type="submit" look="primary" busy={signIn.isPending}>
            Sign in
          </Button>
        </FormActions>
      </SendForm>
      <PublicNote>Forgot it? An admin of your organisation can give you a link to set a new one.</PublicNote>
    </PublicPage>
  );
}
