import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { Building2, CircleUser, LogOut, Moon, Sun, SunMoon } from 'lucide-react';
import { useEffect } from 'react';
import { api, queryClient, sessionEnded, useChange } from '../api/client.js';
import { useSession } from '../api/session.js';
import { keepSession, signOut, switchTo } from '../api/sign-in.js';
import { Button } from '../components/button/button.js';
import { ActionMenu, MenuItem, MenuNote } from '../components/menu/menu.js';
import styles from './frame.module.css';
import { Navigation } from './navigation.js';
import { SearchBox } from './search-box.js';
import { themes, useTheme } from './theme.js';

/** What stands around every page: the navigation, the search, and who is signed in. */
export function Frame() {
  return (
    <div className={styles.frame}>
      <a href="#main" className={styles.skip}>
        Skip to the page
      </a>
      <Navigation />
      <TopBar />
      <main id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <SessionEnd />
    </div>
  );
}

/** Renews the session while it is in use, and asks to sign in when it is over. The address stays: signing in returns to it. */
function SessionEnd() {
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(
    () =>
      sessionEnded.listen(() => {
        const { href } = router.state.location;
        if (href.startsWith('/sign-in')) return;
        // Cleared when its pages are gone: they read it until then.
        void navigate({ to: '/sign-in', search: { to: href, ended: true } }).then(() => queryClient.clear());
      }),
    [navigate, router],
  );
  useEffect(keepSession, []);
  return null;
}

function TopBar() {
  return (
    <header className={styles.bar}>
      <div className={styles.search}>
        <SearchBox />
      </div>
      <div className={styles.who}>
        <AccountMenu />
      </div>
    </header>
  );
}

const icons = { system: SunMoon, light: Sun, dark: Moon };

function AccountMenu() {
  const { organisation, member } = useSession();
  const [theme, setTheme] = useTheme();
  const navigate = useNavigate();
  const leave = useChange({
    send: signOut,
    failed: () => 'You are still signed in',
    onDone: async () => {
      await navigate({ to: '/sign-in' });
      queryClient.clear();
    },
  });
  const own = useQuery(api.session.listOrganisations.queryOptions({}));
  const others = own.data?.items.filter(({ id }) => id !== organisation.id) ?? [];
  const change = useChange({ send: switchTo, failed: () => 'You are still where you were' });
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const ThemeIcon = icons[theme];
  return (
    <ActionMenu
      trigger={
        <Button look="quiet" aria-label={`Account: ${member?.name ?? ''}, ${organisation.name}`}>
          <CircleUser aria-hidden="true" />
          <span>{organisation.name}</span>
        </Button>
      }
    >
      <MenuNote>
        {member?.name}
        <br />
        {member?.email}
        <br />
        {organisation.name}, {organisation.plan} plan
      </MenuNote>
      <MenuItem render={<Link to="/settings/account" />}>
        <CircleUser aria-hidden="true" /> My account
      </MenuItem>
      {others.map(({ id, name }) => (
        <MenuItem key={id} onClick={() => change.mutate(id)}>
          <Building2 aria-hidden="true" /> Switch to {name}
        </MenuItem>
      ))}
      <MenuItem onClick={() => setTheme(next)}>
        <ThemeIcon aria-hidden="true" /> Theme: {theme}
      </MenuItem>
      <MenuItem onClick={() => leave.mutate()}>
        <LogOut aria-hidden="true" /> Sign out
      </MenuItem>
    </ActionMenu>
  );
}
