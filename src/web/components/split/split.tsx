import type { ReactNode } from 'react';
import { classNames } from '../class-names.js';
import styles from './split.module.css';

interface SplitProps {
  readonly list: ReactNode;
  /** Null while nothing is open. */
  readonly detail: ReactNode;
  readonly isOpen: boolean;
}

/** A list, and the detail of one row: beside it where there is room, in its place where there is not. */
export function Split({ list, detail, isOpen }: SplitProps) {
  return (
    <div className={classNames(styles.split, isOpen && styles.open)}>
      <div className={styles.list}>{list}</div>
      {isOpen && <aside className={styles.detail}>{detail}</aside>}
    </div>
  );
}
