import { useSession } from '../../api/session.js';
import { Card, Fact, Facts, Page, Section } from '../../components/page/page.js';
import { Time } from '../../components/time/time.js';
import { themes, useTheme } from '../../frame/theme.js';
import { roleWords } from '../../words.js';
import { AddressProof } from './address-proof.js';
import { ChangePassword } from './change-password.js';
import { LinkedSignIns } from './linked-sign-ins.js';
import { MySessions } from './my-sessions.js';
import styles from './page.module.css';

export function AccountPage() {
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

const words = { system: 'As the device', light: 'Light', dark: 'Dark' } as const;

/** Takes effect at once, in this browser. */
function ThemeChoice() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className={styles.themes}>
      <legend className="visually-hidden">Theme</legend>
      {themes.map((each) => (
        <label key={each}>
          <input type="radio" name="theme" checked={theme === each} onChange={() => setTheme(each)} />
          {words[each]}
        </label>
      ))}
    </fieldset>
  );
}
