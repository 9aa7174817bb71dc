import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from '../button/button.js';
import { Failed } from '../state/state.js';
import styles from './dialog.module.css';

interface ConfirmActionProps<Target> {
  /** What the action is about. Null while nothing is asked. */
  readonly target: Target | null;
  readonly onClose: () => void;
  readonly title: (target: Target) => string;
  /** What will happen, and whether it can be undone. */
  readonly description: (target: Target) => ReactNode;
  /** The verb of the action: `Revoke`, `Delete project`. */
  readonly action: string;
  /** False while something that is asked for is missing, such as a name to type. */
  readonly ready?: boolean;
  /** How grave the action is. */
  readonly look?: 'danger' | 'primary';
  readonly mutation: {
    readonly mutate: (target: Target, options: { readonly onSuccess: () => void }) => void;
    readonly isPending: boolean;
    readonly error: unknown;
    readonly reset: () => void;
  };
}

/** Asks before a mutation runs. It closes when that is done, and shows why when it is not. */
export function ConfirmAction<Target>(props: ConfirmActionProps<Target>) {
  const { target, onClose, title, description, action, ready = true, look = 'danger', mutation } = props;
  const close = () => {
    mutation.reset();
    onClose();
  };
  return (
    <AlertDialog.Root open={target !== null} onOpenChange={(isOpen) => !isOpen && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title>{target === null ? '' : title(target)}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className={styles.description}>
            {target === null ? '' : description(target)}
          </AlertDialog.Description>
          {mutation.error !== null && <Failed error={mutation.error} />}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button />}>Cancel</AlertDialog.Close>
            <Button
              look={look}
              busy={mutation.isPending}
              disabled={!ready}
              onClick={() => target !== null && mutation.mutate(target, { onSuccess: close })}
            >
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
