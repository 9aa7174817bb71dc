import type { ReactNode } from 'react';
import type { RouterOutputs } from '../../../api/client.js';
import styles from './detail.module.css';

interface PartProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a detail, under the detail's own heading. */
export function Part({ title, actions, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={title}>
      <div className={styles.partHeader}>
        <h3>{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  );
}

export type Alert = RouterOutputs['alerts']['get'];
export type Verdict = RouterOutputs['reachability']['getVerdict'];
