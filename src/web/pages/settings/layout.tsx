import { Link, Outlet } from '@tanstack/react-router';
import { useMay } from '../../api/may.js';
import { LinkTabs } from '../../components/tabs/link-tabs.js';
import styles from './layout.module.css';

/** The settings: tabs to the pages of each part. */
export function SettingsLayout() {
  const may = useMay();
  return (
    <>
      <div className={styles.tabs}>
        <LinkTabs label="Settings">
          <Tab to="/settings" name="Organisation" exact />
          {may('organisation.listMembers') && <Tab to="/settings/members" name="Members" />}
          {may('signIn.listIssuers') && <Tab to="/settings/sign-in" name="Sign-in" />}
          <Tab to="/settings/groups" name="Groups" />
          <Tab to="/settings/api-keys" name="API Keys" />
          <Tab to="/settings/connect" name="Connect an agent" />
          <Tab to="/settings/audit-log" name="Audit log" />
          <Tab to="/settings/account" name="My account" />
        </LinkTabs>
      </div>
      <Outlet />
    </>
  );
}

interface TabProps {
  readonly to:
    | '/settings'
    | `/settings/${'members' | 'groups' | 'sign-in' | 'api-keys' | 'connect' | 'audit-log' | 'account'}`;
  readonly name: string;
  readonly exact?: boolean;
}

function Tab({ to, name, exact = false }: TabProps) {
  return (
    <Link to={to} activeOptions={{ exact, includeSearch: false }} preload="intent">
      {name}
    </Link>
  );
}
