import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../../components/copy/copy-button.js';
import { Page, Section } from '../../components/page/page.js';
import { LinkTabs } from '../../components/tabs/link-tabs.js';
import { agentIds } from './agent-ids.js';
import { agents, type Configuration } from './agents.js';
import { KeyStep } from './key-step.js';
import { LiveCheck } from './live-check.js';
import styles from './page.module.css';

const route = getRouteApi('/frame/settings/connect');

export function ConnectPage() {
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
