import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { TextField } from '../../components/field/field.js';
import { NewApiKey } from '../../components/new-api-key/new-api-key.js';
import { Page, Section } from '../../components/page/page.js';
import { LinkTabs } from '../../components/tabs/link-tabs.js';
import { agentIds } from './agent-ids.js';
import { agents, type Configuration, isKey } from './agents.js';
import { LiveCheck } from './live-check.js';
import styles from './page.module.css';

const route = getRouteApi('/frame/settings/connect');

export default function ConnectPage() {
  const { agent = 'claude-code' } = route.useSearch();
  /** In this page's memory alone. */
  const [key, setKey] = useState<string | null>(null);
  const { name, configure } = agents[agent];
  const { where, text, note }: Configuration = configure({ origin: window.location.origin, key });
  return (
    <Page
      title="Connect an agent"
      answer="An agent asks what is vulnerable, what of it matters here and what to do first, by 41 tools over MCP. It takes a key, a line of configuration and a call."
    >
      <LinkTabs label="Agents">
        {agentIds.map((id) => (
          <Link
            key={id}
            to="/settings/connect"
            search={{ agent: id }}
            replace
            resetScroll={false}
            activeProps={{}}
            data-status={id === agent ? 'active' : undefined}
            aria-current={id === agent ? 'page' : undefined}
          >
            {agents[id].name}
          </Link>
        ))}
      </LinkTabs>
      <div className={styles.steps}>
        <Section title="1. A key">
          <KeyStep name={name} onKey={setKey} />
        </Section>
        <Section title="2. The configuration">
          <p className={styles.quiet}>{where}</p>
          <CopyText text={text} label={`the configuration of ${name}`} />
          {note !== undefined && <p className={styles.quiet}>{note}</p>}
        </Section>
        <Section title="3. The first call">
          <LiveCheck apiKey={key} />
        </Section>
      </div>
    </Page>
  );
}

interface KeyStepProps {
  /** The agent's. The new key is called so. */
  readonly name: string;
  /** Null while what was entered is no key. */
  readonly onKey: (key: string | null) => void;
}

/** A key made on the spot, or the reader's own. */
function KeyStep({ name, onKey }: KeyStepProps) {
  const isAdmin = useMay()('apiKeys.create');
  const [text, setText] = useState('');
  const [isMaking, setMaking] = useState(false);
  const enter = (entered: string) => {
    const key = entered.trim();
    setText(key);
    onKey(isKey(key) ? key : null);
  };
  const hint =
    text === '' || isKey(text)
      ? 'It goes into the configuration below and stays in this page: nothing is sent.'
      : 'A key is postern_live_ and 64 letters and digits. This is not one, so the configuration has a place for it.';
  return (
    <>
      {isAdmin ? (
        <p className={styles.quiet}>ReadOnly is right for most agents: it can ask everything and change nothing.</p>
      ) : (
        <p className={styles.quiet}>
          An admin of your organisation makes it, under API Keys. Say what will use it; ReadOnly is enough to ask.
        </p>
      )}
      <div className={styles.key}>
        {isAdmin && (
          <Button onClick={() => setMaking(true)}>
            <KeyRound aria-hidden="true" /> Make a key
          </Button>
        )}
        <div className={styles.own}>
          <TextField
            name="own_key"
            label={isAdmin ? 'Or your own key' : 'Your key'}
            value={text}
            onChange={(event) => enter(event.target.value)}
            hint={hint}
            type="password"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
          />
        </div>
      </div>
      <NewApiKey
        open={isMaking}
        onClose={() => setMaking(false)}
        onMade={({ key }) => enter(key)}
        defaultName={name.startsWith('Others') ? '' : name}
      />
    </>
  );
}
