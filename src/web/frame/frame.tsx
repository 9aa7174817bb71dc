import { Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryClient } from '../api/client.js';
import { sessionEnded } from '../api/session-ended.js';
import { keepSession } from '../api/sign-in.js';
import styles from './frame.module.css';
import { Navigation } from './navigation.js';
import { TopBar } from './top-bar.js';

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
