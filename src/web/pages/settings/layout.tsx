import { Link, type LinkProps, Outlet } from '@tanstack/react-router';
import { keysOf } from '../../../shared/schema/unwrap.js';
import { type GuardedPath, useMay } from '../../api/session.js';
import { LinkTabs, tabLook } from '../../components/tabs/link-tabs.js';
import styles from './layout.module.css';

type SettingsPath = Extract<LinkProps['to'], '/settings' | `/settings/${string}`>;

/** A tab for each page of the settings: its name, and what a reader must be allowed to see it. */
const tabs: Readonly<Record<SettingsPath, readonly [name: string, needs?: GuardedPath]>> = {
  '/settings': ['Organisation'],
  '/settings/members': ['Members', 'organisation.listMembers'],
  '/settings/sign-in': ['Sign-in', 'signIn.listIssuers'],
  '/settings/groups': ['Groups'],
  '/settings/api-keys': ['API Keys'],
  '/settings/connect': ['Connect an agent'],
  '/settings/audit-log': ['Audit log'],
  '/settings/account': ['My account'],
};

export default function SettingsLayout() {
  const may = useMay();
  const shown = keysOf(tabs).filter((path) => tabs[path][1] === undefined || may(tabs[path][1]));
  return (
    <>
      <div className={styles.tabs}>
        <LinkTabs label="Settings">
          {shown.map((path) => (
            <Link key={path} to={path} {...tabLook(path === '/settings')}>
              {tabs[path][0]}
            </Link>
          ))}
        </LinkTabs>
      </div>
      <Outlet />
    </>
  );
}
