import type { ReactNode } from 'react';
import { Button } from '../button/button.js';
import { FormActions, SendForm } from '../field/field.js';
import { Modal } from './dialog.js';

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
