import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button/button.js';
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
