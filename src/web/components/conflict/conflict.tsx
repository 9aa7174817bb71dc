import type { ReactNode } from 'react';
import { Button } from '../button/button.js';
import { FormActions } from '../field/field.js';
import styles from './conflict.module.css';

interface ConflictProps {
  /** What it is now. */
  readonly children: ReactNode;
  readonly onTakeTheirs: () => void;
  readonly busy: boolean;
}

/** In a form whose update was refused because of somebody else's: what that was, and the choice. */
export function Conflict({ children, onTakeTheirs, busy }: ConflictProps) {
  return (
    <div role="alert" className={styles.conflict}>
      <strong>Somebody changed it meanwhile</strong>
      <p>{children}</p>
      <FormActions>
        <Button size="small" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button type="submit" size="small" busy={busy}>
          Save mine over it
        </Button>
      </FormActions>
    </div>
  );
}
