import type { ReactNode } from 'react';
import { Button } from '../button/button.js';
import styles from './bulk-bar.module.css';

interface BulkBarProps {
  /** What is selected, for those who do not see it: `Selected alerts`. */
  readonly label: string;
  /** As `3 alerts`. */
  readonly selected: string;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** What can be done with the selected rows of a list. It stays in view at the end of the window. */
export function BulkBar({ label, selected, onClear, children }: BulkBarProps) {
  return (
    <section className={styles.bulk} aria-label={label}>
      <strong role="status">{selected} selected</strong>
      {children}
      <Button size="small" look="quiet" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
