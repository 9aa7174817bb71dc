import { Link } from '@tanstack/react-router';
import { defaultWindow, windows } from './search.js';
import styles from './trend-section.module.css';

/** The windows that can be chosen. Each is an address; the router marks the one that is open. */
export function WindowLinks() {
  return (
    <nav aria-label="Days of the trend" className={styles.windows}>
      {windows.map((days) => (
        <Link
          key={days}
          to="."
          search={(before) => ({ ...before, days: days === defaultWindow ? undefined : days })}
          replace
          resetScroll={false}
          activeOptions={{ includeSearch: true, explicitUndefined: true }}
        >
          {days} days
        </Link>
      ))}
    </nav>
  );
}
