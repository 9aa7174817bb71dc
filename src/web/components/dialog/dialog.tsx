import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button/button.js';
import { Failed } from '../state/state.js';
import styles from './dialog.module.css';

interface ModalProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  /** It shows what is shown only once: nothing but its own button closes it. */
  readonly deliberate?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page. Escape and the close button end it; focus returns to where it was. */
export function Modal({ open, onClose, title, description, deliberate = false, children }: ModalProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && !deliberate && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <div className={styles.header}>
            <Dialog.Title>{title}</Dialog.Title>
            {!deliberate && (
              <Dialog.Close render={<Button look="quiet" size="small" aria-label="Close" />}>
                <X aria-hidden="true" />
              </Dialog.Close>
            )}
          </div>
          {description !== undefined && (
            <Dialog.Description className={styles.description}>{description}</Dialog.Description>
          )}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly description: ReactNode;
  /** The verb of the action: `Revoke`, `Delete project`. */
  readonly action: string;
  /** False while something that is asked for is missing, such as a name to type. */
  readonly ready?: boolean;
  readonly look?: 'danger' | 'primary';
  readonly onConfirm: () => void;
  readonly busy: boolean;
  readonly error: unknown;
}

/** Asks before something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { open, onClose, title, description, action, ready = true, look = 'danger', onConfirm, busy, error } = props;
  return (
    <AlertDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className={styles.description}>
            {description}
          </AlertDialog.Description>
          {error !== null && <Failed error={error} />}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button />}>Cancel</AlertDialog.Close>
            <Button look={look} busy={busy} disabled={!ready} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
