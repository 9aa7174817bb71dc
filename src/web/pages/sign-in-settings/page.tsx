import { useQuery } from '@tanstack/react-query';
import { api, client, queryClient, useChange } from '../../api/client.js';
import { useMay, useSession } from '../../api/session.js';
import { Admins } from '../../components/admins/admins.js';
import { SelectField, SendForm, Submit, textOf } from '../../components/field/field.js';
import { Card, Loaded, Page, Section, Skeleton } from '../../components/page/page.js';
import { Domains } from './domains.js';
import { Issuers } from './issuers.js';

export default function SignInSettingsPage() {
  if (!useMay()('signIn.listIssuers')) {
    return (
      <Page title="Sign-in" answer="Only an admin of your organisation sees and changes how its people sign in.">
        <Admins why="Ask one of them." />
      </Page>
    );
  }
  return (
    <Page title="Sign-in" answer="Where your people sign in, which addresses are yours, and whether passwords count.">
      <Issuers />
      <Domains />
      <Passwords />
    </Page>
  );
}

/** Whether passwords count, and whose goes on when they do not. */
function Passwords() {
  const query = useQuery(api.signIn.getPasswordPolicy.queryOptions({}));
  const set = useChange({
    send: (values: FormData) => {
      if (textOf(values, 'turn') === 'on') return client.signIn.setPasswordPolicy.mutate({ password_sign_in: true });
      const break_glass_member_id = textOf(values, 'break_glass_member_id');
      return client.signIn.setPasswordPolicy.mutate({ password_sign_in: false, break_glass_member_id });
    },
    done: ({ password_sign_in }) => (password_sign_in ? 'Passwords are on' : 'Passwords are off'),
    onDone: (policy) => queryClient.setQueryData(api.signIn.getPasswordPolicy.queryKey({}), policy),
  });
  return (
    <Section title="Passwords">
      <Loaded query={query} skeleton={<Skeleton rows={1} height={120} />}>
        {({ password_sign_in, break_glass }) => (
          <Card>
            <SendForm key={String(password_sign_in)} onSend={(values) => set.mutate(values)} error={set.error}>
              {password_sign_in ? (
                <>
                  <p>
                    Members sign in by password too. Off, they sign in by an issuer alone, and sessions by password end,
                    but this one. One admin may go on, for when the issuer is away.
                  </p>
                  <input type="hidden" name="turn" value="off" />
                  <BreakGlassField />
                </>
              ) : (
                <>
                  <p>Members sign in by an issuer alone. {break_glass?.name ?? 'Nobody'} may go on using a password.</p>
                  <input type="hidden" name="turn" value="on" />
                </>
              )}
              <Submit look={password_sign_in ? 'danger' : 'plain'} busy={set.isPending}>
                {password_sign_in ? 'Turn passwords off' : 'Turn passwords on'}
              </Submit>
            </SendForm>
          </Card>
        )}
      </Loaded>
    </Section>
  );
}

/** Admins of the first 100 members. Whether one has a password shows when it is saved. */
function BreakGlassField() {
  const { member } = useSession();
  const { data } = useQuery(api.organisation.listMembers.queryOptions({ page_size: 100 }));
  const admins = data?.items.filter(({ role, deactivated_at }) => role === 'admin' && deactivated_at === null) ?? [];
  return (
    <SelectField
      key={admins.length}
      name="break_glass_member_id"
      label="The admin who may go on"
      defaultValue={member?.id}
    >
      {admins.map(({ id, name, email }) => (
        <option key={id} value={id}>
          {name}, {email}
        </option>
      ))}
    </SelectField>
  );
}
