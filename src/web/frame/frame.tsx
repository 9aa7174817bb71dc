import { Outlet } from '@tanstack/react-router';
import styles from './frame.module.css';
import { Navigation } from './navigation.js';
import { SessionEnd } from './session-end.js';
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
