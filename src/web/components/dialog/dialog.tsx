import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Change, useChange } from '../../api/client.js';
import { Button } from '../button/button.js';
import { FormActions, SendForm } from '../field/field.js';
import { Failed } from '../page/page.js';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

interface ModalProps extends DialogProps {
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

interface FormDialogProps extends Omit<Parameters<typeof Modal>[0], 'children'> {
  readonly onSend: (values: FormData) => void;
  /** The change that is sent. Closing the dialog forgets its error. Absent where the page behind shows how it went. */
  readonly change?: { readonly error: unknown; readonly isPending: boolean; readonly reset: () => void };
  /** The verb of the form's button: `Add webhook`. */
  readonly action: string;
  /** Another one fills the fields anew. */
  readonly version?: number;
  /** Shown in the form's place, once the change is made; `onClose` is its own then. */
  readonly result?: ReactNode;
  readonly children: ReactNode;
}

/** A form in a dialog. It stays open, with what was typed, until its change is made. */
export function FormDialog(props: FormDialogProps) {
  const { onClose, onSend, change, action, version, result, children, ...modal } = props;
  const close = () => {
    change?.reset();
    onClose();
  };
  return (
    <Modal {...modal} onClose={close}>
      {result ?? (
        <SendForm key={version} onSend={onSend} error={change?.error ?? null}>
          {children}
          <FormActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" look="primary" busy={change?.isPending ?? false}>
              {action}
            </Button>
          </FormActions>
        </SendForm>
      )}
    </Modal>
  );
}

interface ConfirmActionProps<Target, Answer> extends Change<Target, Answer> {
  /** The object of the action; null while nothing is asked. */
  readonly target: Target | null;
  readonly onClose: () => void;
  readonly title: (target: Target) => string;
  /** Says what will happen and whether it can be undone. The error is that of the last try. */
  readonly description: (target: Target, failure: { readonly error: unknown; readonly reset: () => void }) => ReactNode;
  /** The verb of the action: `Revoke`, `Delete project`. */
  readonly action: string;
  /** False while something that is asked for is missing, such as a name to type. */
  readonly ready?: boolean;
  readonly look?: 'danger' | 'primary';
}

/** Asks before a change is made. It closes when that is done, and shows why when it is not. */
export function ConfirmAction<Target, Answer>(props: ConfirmActionProps<Target, Answer>) {
  const { target, onClose, title, description, action, ready = true, look = 'danger', ...change } = props;
  const mutation = useChange(change);
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
            {target === null ? '' : description(target, mutation)}
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
