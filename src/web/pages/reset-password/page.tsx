import { Link, useNavigate } from '@tanstack/react-router';
import { client, useChange } from '../../api/client.js';
import { isFieldError } from '../../api/explain.js';
import { SendForm, Submit, textOf } from '../../components/field/field.js';
import { NewPasswordField } from '../../components/password/new-password-field.js';
import { PublicNote, PublicPage, Refusal, TokenField } from '../../components/public-page/public-page.js';

export default function ResetPasswordPage() {
  const navigate = useNavigate();
  const reset = useChange({
    send: client.session.resetPassword.mutate,
    onDone: () => navigate({ to: '/sign-in', search: { after: 'reset' }, replace: true }),
  });
  const isSpent = isFieldError(reset.error, 'token');
  const send = (values: FormData) =>
    reset.mutate({ token: textOf(values, 'token').trim(), password: textOf(values, 'password') });
  return (
    <PublicPage title="Set a new password">
      {isSpent && (
        <Refusal title="This link opens nothing any more">
          It was used, it is older than an hour, or a newer one was made. Ask an admin of your organisation for another.
        </Refusal>
      )}
      <SendForm onSend={send} error={isSpent ? null : reset.error}>
        <TokenField hint="As you were given it. It is good for an hour, for one use." />
        <NewPasswordField name="password" label="New password" />
        <Submit busy={reset.isPending}>Set password</Submit>
      </SendForm>
      <PublicNote>
        All your sessions end, on every device. <Link to="/sign-in">Sign in</Link> instead.
      </PublicNote>
    </PublicPage>
  );
}
