import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { client, useChange } from '../../api/client.js';
import { isFieldError } from '../../api/explain.js';
import { tokenOf } from '../../api/link-token.js';
import { SendForm, Submit, TextField, textOf } from '../../components/field/field.js';
import { NewPasswordField } from '../../components/password/new-password-field.js';
import { PublicNote, PublicPage, Refusal, TokenField } from '../../components/public-page/public-page.js';
import { IssuerButtons, signInOptions } from '../sign-in/ways.js';

export default function AcceptInvitePage() {
  const navigate = useNavigate();
  const accept = useChange({
    send: client.organisation.acceptInvite.mutate,
    onDone: () => navigate({ to: '/sign-in', search: { after: 'invite' }, replace: true }),
  });
  const inviteToken = tokenOf(useLocation({ select: ({ hash }) => hash })) ?? '';
  const { data: options } = useQuery({ ...signInOptions({ inviteToken }), enabled: inviteToken !== '' });
  const isSpent = isFieldError(accept.error, 'token');
  const send = (values: FormData) =>
    accept.mutate({
      token: textOf(values, 'token').trim(),
      name: textOf(values, 'name'),
      password: textOf(values, 'password'),
    });
  return (
    <PublicPage title="Accept your invite">
      {isSpent && (
        <Refusal title="This invite opens nothing any more">
          It was accepted, it was revoked, or it is older than 7 days. Ask an admin of the organisation for another.
        </Refusal>
      )}
      <IssuerButtons issuers={options?.issuers ?? []} to="/" inviteToken={inviteToken} verb="Accept" />
      <SendForm onSend={send} error={isSpent ? null : accept.error}>
        <TokenField hint="As you were given it. It is good for 7 days." />
        <TextField
          name="name"
          label="Your name"
          hint="Others see it beside what you do."
          autoComplete="name"
          required
          maxLength={200}
        />
        <NewPasswordField name="password" label="Password" />
        <Submit busy={accept.isPending}>Become a member</Submit>
      </SendForm>
      <PublicNote>
        You will sign in with the e-mail address that was invited. A member already? <Link to="/sign-in">Sign in</Link>.
      </PublicNote>
    </PublicPage>
  );
}
