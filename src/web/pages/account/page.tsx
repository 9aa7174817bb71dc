import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, useChange } from '../../api/client.js';
import { tokenOf } from '../../api/link-token.js';
import { sessionQuery, useSession } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { SendForm, Submit, TextField, textOf } from '../../components/field/field.js';
import { counted } from '../../components/format/format.js';
import { Card, Fact, Facts, Failed, Page, Section } from '../../components/page/page.js';
import { NewPasswordField } from '../../components/password/new-password-field.js';
import { Time } from '../../components/tip/tip.js';
import { themes, useTheme } from '../../frame/theme.js';
import { roleWords } from '../../words.js';
import styles from './page.module.css';
import { LinkedSignIns, MySessions } from './sign-ins.js';

export default function AccountPage() {
  const { organisation, member } = useSession();
  return (
    <Page
      title="My account"
      answer={`You are ${member?.name ?? ''}, ${roleWords[member?.role ?? 'none'].who} of ${organisation.name}.`}
    >
      <div className={styles.parts}>
        <div className={styles.column}>
          <Section title="Me">
            <Card>
              <Facts>
                <Fact name="Name">{member?.name}</Fact>
                <Fact name="E-mail">{member?.email}</Fact>
                {member !== null && (
                  <Fact name="Shown to be mine">
                    <AddressProof member={member} />
                  </Fact>
                )}
                <Fact name="Role">{member?.role}</Fact>
                {member?.groups.map(({ id, name, role }) => (
                  <Fact key={id} name={`Role in ${name}`}>
                    {role}
                  </Fact>
                ))}
                <Fact name="Organisation">
                  {organisation.name}, {organisation.plan} plan
                </Fact>
                {member !== null && (
                  <Fact name="Member since">
                    <Time at={member.created_at} />
                  </Fact>
                )}
              </Facts>
            </Card>
          </Section>
          <Section title="Theme">
            <Card>
              <ThemeChoice />
            </Card>
          </Section>
        </div>
        <div className={styles.column}>
          <Section title="Password">
            <Card>
              <ChangePassword />
            </Card>
          </Section>
          <LinkedSignIns />
        </div>
      </div>
      <MySessions />
    </Page>
  );
}

const themeWords = { system: 'As the device', light: 'Light', dark: 'Dark' } as const;

/** Takes effect at once, in this browser. */
function ThemeChoice() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className={styles.themes}>
      <legend className="visually-hidden">Theme</legend>
      {themes.map((each) => (
        <label key={each}>
          <input type="radio" name="theme" checked={theme === each} onChange={() => setTheme(each)} />
          {themeWords[each]}
        </label>
      ))}
    </fieldset>
  );
}

/** The current password is asked for, so that a session left open does not become an account taken over. */
function ChangePassword() {
  /** Counts the changes: a form that was sent begins anew, and is empty. */
  const [changes, setChanges] = useState(0);
  const change = useChange({
    send: client.session.changePassword.mutate,
    done: ({ ended_sessions }) => {
      const others = ended_sessions === 0 ? '' : `; ${counted(ended_sessions, 'other session')} ended`;
      return `Your password was changed${others}`;
    },
    onDone: () => setChanges((count) => count + 1),
    stale: [api.session.list.pathFilter()],
  });
  const send = (values: FormData) =>
    change.mutate({
      current_password: textOf(values, 'current_password'),
      new_password: textOf(values, 'new_password'),
    });
  return (
    <SendForm key={changes} onSend={send} error={change.error}>
      <TextField
        name="current_password"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
      />
      <NewPasswordField name="new_password" label="New password" />
      <Submit look="plain" busy={change.isPending}>
        Change password
      </Submit>
      <p>Your other sessions end; this one goes on.</p>
    </SendForm>
  );
}

const proofs = {
  issuer: 'by the issuer that signed you in',
  domain: 'by its domain, which is the organisation’s',
  mail: 'by a link that was sent to it',
  operator: 'by the operator of this server',
} as const;

/** The person who has shown that the address is the member's. Opening a link that was sent to it here does so. */
function AddressProof({ member }: { readonly member: NonNullable<ReturnType<typeof useSession>['member']> }) {
  const { sendsMail } = useSession();
  const token = tokenOf(useLocation({ select: ({ hash }) => hash }));
  const navigate = useNavigate();
  const send = useChange({
    send: client.session.proveAddress.mutate,
    done: ({ mailed_to }) => `A link is being sent to ${mailed_to}`,
  });
  const confirm = useChange({
    send: client.session.confirmAddress.mutate,
    done: ({ email }) => `${email} is confirmed`,
    onDone: () => navigate({ to: '/settings/account', replace: true }),
    stale: [{ queryKey: sessionQuery.queryKey }],
  });
  if (token !== null) {
    return (
      <>
        <Button look="primary" busy={confirm.isPending} onClick={() => confirm.mutate({ token })}>
          Confirm {member.email}
        </Button>
        {confirm.error !== null && <Failed error={confirm.error} />}
      </>
    );
  }
  if (member.proven_by !== null) return proofs[member.proven_by];
  return (
    <>
      by nobody yet{' '}
      {sendsMail && (
        <Button size="small" busy={send.isPending} onClick={() => send.mutate({})}>
          Send a link to it
        </Button>
      )}
      {send.error !== null && <Failed error={send.error} />}
    </>
  );
}
