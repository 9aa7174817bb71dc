import type { ReactNode } from 'react';
import styles from './public-page.module.css';

/** Why it was not done, in the page's own words. */
export function Refusal({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="alert" className={styles.failure}>
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}
