import type { ReactNode } from 'react';
import styles from './link-tabs.module.css';

/** Links to the pages of one thing. Each is a page of its own; the router marks the current one by `aria-current`. */
export function LinkTabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {children}
    </nav>
  );
}
